import type { Cell, Table } from "../formats/table.ts";

/**
 * A table whose columns depend on the run, in the form of its file: instead of the columns after the first `keys` it has a row
 * for each of their cells that is not empty, with the column's name in the column `name` and the cell in the column `value`. So
 * the columns of the file are the same for all runs.
 */
export function unpivoted(
  table: Table,
  { keys, name, value }: { readonly keys: number; readonly name: string; readonly value: string },
): Table {
  const own = table.columns.slice(keys);
  return {
    ...table,
    columns: [...table.columns.slice(0, keys), { name, type: "text" }, { name: value, type: "number" }],
    rows: table.rows.flatMap((row) =>
      own.flatMap((column, i): Cell[][] => {
        const cell = row[keys + i] ?? null;
        return cell === null ? [] : [[...row.slice(0, keys), column.name, cell]];
      }),
    ),
  };
}
