import { ByteWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import { finiteOrNull } from "./finite-or-null.ts";
import type { Cell, Column } from "./table.ts";

/**
 * A table as an Apache Parquet file: text as UTF-8 strings, integers as INT64, numbers as DOUBLE, all nullable; numbers that are not finite are null.
 * Snappy compression. Rows are asked for as they are written, so that not all need to be in memory. A cell that does not suit
 * its column is a RangeError.
 */
export function encodeParquet({
  columns,
  rows,
}: {
  readonly columns: readonly Column[];
  readonly rows: Iterable<readonly Cell[]>;
}): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  const empty = columns.map(({ name, type }) => ({ name, type: types[type], data: [] }));
  const file = new ParquetWriter({
    writer,
    schema: schemaFromColumnData({ columnData: empty }),
    createdBy: "ludoflow",
  });
  let group: (readonly Cell[])[] = [];
  const end = () => {
    const columnData = columns.map((column, i) => ({
      name: column.name,
      data: group.map((row) => convert(row[i] ?? null, column)),
    }));
    void file.write({ columnData, rowGroupSize: GROUP });
    group = [];
  };
  for (const row of rows) if (group.push(row) === GROUP) end();
  if (group.length > 0) end();
  void file.finish();
  return new Uint8Array(writer.getBuffer());
}

/** Rows of a row group: readers skip whole groups by their statistics. */
const GROUP = 100_000;

const types = { text: "STRING", integer: "INT64", number: "DOUBLE" } as const;

function convert(cell: string | number | null, { name, type }: Column): string | number | bigint | null {
  if (cell === null) return null;
  if (type === "text" ? typeof cell !== "string" : typeof cell !== "number")
    throw new RangeError(`column ${name} of type ${type} cannot hold ${JSON.stringify(cell)}`);
  if (type !== "integer") return typeof cell === "number" ? finiteOrNull(cell) : cell;
  if (!Number.isSafeInteger(cell)) throw new RangeError(`column ${name} cannot hold ${cell}: no integer`);
  return BigInt(cell);
}
