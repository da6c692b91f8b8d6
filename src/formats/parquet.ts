import { parquetWriteBuffer } from "hyparquet-writer";
import type { Column, Table } from "./table.ts";

/**
 * A table as an Apache Parquet file: text as UTF-8 strings, integers as INT64, numbers as DOUBLE, all nullable.
 * Snappy compression. A cell that does not suit its column is a RangeError.
 */
export function encodeParquet(table: Pick<Table, "columns" | "rows">): Uint8Array {
  const columnData = table.columns.map((column, i) => ({
    name: column.name,
    type: types[column.type],
    data: table.rows.map((row) => convert(row[i] ?? null, column)),
  }));
  return new Uint8Array(parquetWriteBuffer({ columnData, createdBy: "ludoflow" }));
}

const types = { text: "STRING", integer: "INT64", number: "DOUBLE" } as const;

function convert(cell: string | number | null, { name, type }: Column): string | number | bigint | null {
  if (cell === null) return null;
  if (type === "text" ? typeof cell !== "string" : typeof cell !== "number")
    throw new RangeError(`column ${name} of type ${type} cannot hold ${JSON.stringify(cell)}`);
  if (type !== "integer") return cell;
  if (!Number.isSafeInteger(cell)) throw new RangeError(`column ${name} cannot hold ${cell}: no integer`);
  return BigInt(cell);
}
