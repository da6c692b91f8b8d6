import { describe, expect, it } from "vitest";
import { plainPacking } from "../../src/games/plain-packing.ts";

const state = () => ({
  toMove: -2,
  share: 0.1,
  over: false,
  cells: Int16Array.of(1, -2, 300),
  inner: { plies: 7, taken: Float32Array.of(0.5) },
});

describe("plainPacking", () => {
  it("brings all parts of a state into another one, at any offset", () => {
    const packing = plainPacking(state())!;
    expect(packing.bytes).toBe(8 + 8 + 1 + 6 + 8 + 4);
    const other = { ...state(), toMove: 1, share: -3e-9, over: true };
    other.cells.set([5, 6, 7]);
    other.inner.plies = 2 ** 40;
    other.inner.taken[0] = -1;
    const out = new Uint8Array(packing.bytes + 5).fill(9);
    packing.pack(other, out, 3);
    expect([...out.subarray(0, 3), ...out.subarray(-2)]).toEqual([9, 9, 9, 9, 9]);
    const into = state();
    const { cells, inner } = into;
    packing.unpack(out, 3, into);
    expect(into).toEqual(other);
    expect([into.cells, into.inner]).toEqual([cells, inner]);
    expect(into.cells).toBe(cells);
  });

  it.each([{ moves: [1, 2] }, { name: "x" }, { last: null }])(
    "is there for no state of any size: %j",
    (part) => {
      expect(plainPacking({ toMove: 0, ...part })).toBeUndefined();
    },
  );
});
