import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadSparse, saveSparse } from "../../../src/models/n-tuple/sparse-table.ts";
import type { SavedArrays } from "../../../src/models/tables.ts";

const arrays = (saved: SavedArrays) => new Map([...saved].map(([name, { data }]) => [name, data]));

describe("a sparse table", () => {
  it("comes back as it was", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.constantFrom(0, 0.5, 1.25, -3), { maxLength: 60 }),
        fc.constantFrom(0, 0.5),
        (width, entries, initial) => {
          const table = Float32Array.from(entries.slice(0, entries.length - (entries.length % width)));
          const again = new Float32Array(table.length).fill(initial);
          loadSparse(arrays(saveSparse(table, width, initial)), again, width);
          expect(again).toEqual(table);
        },
      ),
    );
  });

  it("holds changed rows only, with their shapes", () => {
    const saved = saveSparse(Float32Array.of(0, 0, 0, 7, 0, 0, 8, 0), 2);
    expect(saved.get("indices")).toEqual({ shape: [2], data: Uint32Array.of(1, 3) });
    expect(saved.get("values")).toEqual({ shape: [2, 2], data: Float32Array.of(0, 7, 8, 0) });
  });

  it("takes an initial value that is no 32-bit float", () => {
    const table = new Float32Array(3).fill(0.1);
    table[1] = 4;
    expect(saveSparse(table, 1, 0.1).get("indices")!.data).toEqual(Uint32Array.of(1));
  });

  it("leaves the table alone where nothing was saved", () => {
    const table = Float32Array.of(1, 2);
    loadSparse(new Map(), table);
    expect(table).toEqual(Float32Array.of(1, 2));
  });

  it("refuses arrays of another table and then writes nothing", () => {
    const table = new Float32Array(4);
    const load = (indices: Uint32Array, values: Float32Array) => () =>
      loadSparse(
        new Map<string, Uint32Array | Float32Array>([
          ["indices", indices],
          ["values", values],
        ]),
        table,
      );
    expect(load(Uint32Array.of(1, 4), Float32Array.of(5, 5))).toThrow("row 4 is not in a table of 4 rows");
    expect(load(Uint32Array.of(1), Float32Array.of(5, 5))).toThrow("2 values for 1 rows of 1");
    expect(() => loadSparse(new Map([["values", Float32Array.of(1)]]), table)).toThrow("expected the arrays");
    expect(table).toEqual(new Float32Array(4));
  });
});
