import { cell, type UecdaTable } from "../../src/protocols/uecda/table.ts";

/**
 * A change of a message of a UECda match, as a line tells it: `to-player number 7`, `from-player table 0,3=1 6,0=4` (row, column and
 * the value in that place).
 */
export interface UecdaChange {
  readonly to: boolean;
  readonly number?: number;
  readonly cells: readonly (readonly [place: number, value: number])[];
}

/** Reads a change; undefined where the line is none. */
export function uecdaChange(line: string): UecdaChange | undefined {
  const [, direction, number, table] =
    /^\s*(to|from)-player\s+(?:number\s+(\d+)|table((?:\s+\d+,\d+=\d+)+))\s*$/.exec(line) ?? [];
  if (direction === undefined) return undefined;
  const cells = [...(table ?? "").matchAll(/(\d+),(\d+)=(\d+)/g)].map(
    ([, row, column, value]) => [cell(Number(row), Number(column)), Number(value) % 2 ** 32] as const,
  );
  return {
    to: direction === "to",
    ...(number === undefined ? {} : { number: Number(number) % 2 ** 32 }),
    cells,
  };
}

/** A changed copy of a message; undefined where the change is of another kind of message. */
export function changedMessage<T extends UecdaTable | number>(
  { cells, number }: UecdaChange,
  message: T,
): T | undefined {
  if (typeof message === "number") return number as T | undefined;
  if (cells.length === 0) return undefined;
  const table = message.slice();
  for (const [place, value] of cells) if (place < table.length) table[place] = value;
  return table as T;
}
