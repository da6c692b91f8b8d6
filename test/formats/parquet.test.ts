import { parquetReadObjects, parquetMetadata } from "hyparquet";
import { describe, expect, it } from "vitest";
import { encodeParquet } from "../../src/formats/parquet.ts";

const columns = [
  { name: "agent", type: "text" },
  { name: "games", type: "integer" },
  { name: "mean", type: "number" },
] as const;

const buffer = (bytes: Uint8Array) =>
  bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;

describe("encodeParquet", () => {
  it("is read back by another library", async () => {
    const rows = [
      ["greedy", 1000, 48_008.5],
      ['日本語, "quoted"', 2 ** 40, 7],
      [null, null, null],
    ];
    const read = await parquetReadObjects({ file: buffer(encodeParquet({ columns, rows })) });
    expect(read).toEqual([
      { agent: "greedy", games: 1000n, mean: 48_008.5 },
      { agent: '日本語, "quoted"', games: 2n ** 40n, mean: 7 },
      { agent: null, games: null, mean: null },
    ]);
  });

  it("has the same schema without rows", async () => {
    const types = (rows: (string | number)[][]) =>
      parquetMetadata(buffer(encodeParquet({ columns, rows })))
        .schema.slice(1)
        .map(({ name, type }) => [name, type]);
    expect(types([])).toEqual([
      ["agent", "BYTE_ARRAY"],
      ["games", "INT64"],
      ["mean", "DOUBLE"],
    ]);
    expect(types([["a", 1, 2]])).toEqual(types([]));
  });

  it("refuses a cell that does not suit its column", () => {
    expect(() => encodeParquet({ columns, rows: [["a", 1.5, 2]] })).toThrow("games");
    expect(() => encodeParquet({ columns, rows: [["a", 1, "2"]] })).toThrow("mean");
  });
});
