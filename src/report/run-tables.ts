import { basename, resolve } from "node:path";
import type { Cell, Column, Table } from "../formats/table.ts";
import type { RunData } from "./run-data.ts";

/** A table whose rows may be read from files as they are asked for. */
export type StreamedTable = Omit<Table, "rows"> & { readonly rows: Iterable<readonly Cell[]> };

/** Identifies the rows of a run among those of others. */
export interface RunIdentity {
  /** The name of its experiment. */
  readonly experiment: string;
  /** When it began, its seed and the name of its folder: `20260101-120000-seed7`, `20260101-120000-seed7/lambda=0.5-seed7`. */
  readonly run: string;
  /** Null without a manifest. */
  readonly seed: number | null;
}

/** The identity of a run in the rows of tables. */
export function identityOf({ folder, manifest, name }: RunData): RunIdentity {
  const { id, seed } = manifest;
  const own = basename(resolve(folder));
  return {
    experiment: name,
    // Runs of a sweep that begin within a second have one id.
    run: typeof id !== "string" || own.startsWith(id) ? own : `${id}/${own}`,
    seed: typeof seed === "number" ? seed : null,
  };
}

const identityColumns: readonly Column[] = [
  { name: "experiment", type: "text" },
  { name: "run", type: "text" },
  { name: "seed", type: "integer" },
];

/**
 * A table of a run as its file has it: before its own columns it has `experiment`, `run` and `seed`. So the files of one name
 * in all runs are one table, with one schema. Rows are asked for as they are written.
 */
export function identified(
  { columns, rows }: Pick<StreamedTable, "columns" | "rows">,
  { experiment, run, seed }: RunIdentity,
): Pick<StreamedTable, "columns" | "rows"> {
  return {
    columns: [...identityColumns, ...columns],
    rows: {
      *[Symbol.iterator]() {
        for (const row of rows) yield [experiment, run, seed, ...row];
      },
    },
  };
}

/** Tables of one name one below the other. They must have the same columns; anything else is a bug. */
export function mergedByName(tables: readonly Table[]): Table[] {
  return [...Map.groupBy(tables, ({ name }) => name)].map(([name, [first, ...more]]) => {
    for (const { columns } of more)
      if (JSON.stringify(columns) !== JSON.stringify(first!.columns))
        throw new RangeError(`the tables named ${name} have different columns`);
    return { ...first!, rows: [first!, ...more].flatMap(({ rows }) => rows) };
  });
}
