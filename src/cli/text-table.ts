import { printedCell } from "../figures/printed-cell.ts";
import { decimalsFor } from "../figures/number-text.ts";
import type { Cell, Cells, Column } from "../formats/table.ts";
import { columnsOf, padEndTo } from "./text-columns.ts";

/** A column as lines of text show it. */
interface TextColumn {
  readonly head: string;
  readonly isRight: boolean;
  readonly text: (row: readonly Cell[]) => string;
}

/**
 * A table as lines of a terminal, the names of its columns first, with two spaces between columns. Left out are columns named
 * in `without` and columns that have no value in any row.
 */
export function textTable({ columns, rows }: Cells, without: readonly string[] = []): string[] {
  const shown = columns.flatMap((column, at): TextColumn[] =>
    without.includes(column.name) ||
    column.end === "high" ||
    (rows.length > 0 && rows.every((row) => row[at] === null))
      ? []
      : [
          {
            head: column.end === "low" ? "interval" : (column.head ?? column.name),
            isRight: column.type !== "text" || column.align === "right",
            text: textOf(columns, at),
          },
        ],
  );
  const lines = [shown.map(({ head }) => head), ...rows.map((row) => shown.map(({ text }) => text(row)))];
  const widths = shown.map((_, i) => Math.max(...lines.map((line) => columnsOf(line[i]!))));
  return lines.map((line) =>
    line
      .map((text, i) => (shown[i]!.isRight ? text.padStart(widths[i]!) : padEndTo(text, widths[i]!)))
      .join("  ")
      .trimEnd(),
  );
}

/** The text of a column by row. An estimate has the digits of its interval, if its column has none; both ends are one text. */
function textOf(columns: readonly Column[], at: number): TextColumn["text"] {
  const column = columns[at]!;
  if (column.end === "low")
    return (row) => {
      const [low, high] = [at, at + 1].map((i) => plain(row[i] ?? null, digitsIn(row, columns, at - 1)));
      return row[at] === null && row[at + 1] === null ? "-" : `[${low}, ${high}]`;
    };
  return (row) => plain(row[at] ?? null, digitsIn(row, columns, at));
}

/** How the estimate is printed whose value is in column `at`. */
function digitsIn(row: readonly Cell[], columns: readonly Column[], at: number): Column {
  const column = columns[at]!;
  if (columns[at + 1]?.end !== "low" || column.share === true || column.digits !== undefined) return column;
  const [value, low, high] = row.slice(at, at + 3) as number[];
  return Number.isFinite(low) && Number.isFinite(high)
    ? { ...column, digits: decimalsFor({ value: value!, interval: [low!, high!] }) }
    : column;
}

/** A cell in the characters of plain terminals. */
function plain(cell: Cell, column: Column): string {
  const text = printedCell(cell, column);
  if (typeof cell === "string") return text;
  return text.replace("–", "-").replace("−", "-").replace("∞", "inf");
}
