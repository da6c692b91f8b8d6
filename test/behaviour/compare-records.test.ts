import { expect, it } from "vitest";
import type { StoredGame } from "../../src/formats/game-records.ts";
import { compareGames, tensorDistance } from "./compare-records.ts";

/** Four plies of two players, the first one of chance. */
const game: StoredGame = {
  game: 3,
  generation: 1,
  seats: ["a", "b"],
  actions: Int32Array.of(9, 4, 5, 6),
  values: Float64Array.of(0.5, -0.5, 200, -200, 0, 1),
  returns: [1, -1],
  facts: { tile: 4 },
};
const compared = (change: Partial<StoredGame>) => compareGames(game, { ...game, ...change });

it("equal records have no difference, and each part of a record counts", () => {
  expect(compared({})).toEqual({ farthest: 0 });
  expect(compared({ game: 4 }).difference).toBe("number or generation");
  expect(compared({ seats: ["b", "a"] }).difference).toBe("seats");
  expect(compared({ returns: [0, 0] }).difference).toBe("returns");
  expect(compared({ facts: {} }).difference).toBe("facts");
  expect(compared({ values: Float64Array.of(0.5, -0.5, 200, -200, -0, 1) })).toMatchObject({
    difference: "values",
  });
});

it("values are compared up to another move, by their size where it is above 1", () => {
  const values = Float64Array.of(0.5, -0.5001, 202, -200, 7, 7);
  expect(compared({ values })).toEqual({ difference: "values", farthest: 7 });
  // Which ply is that of chance is not known: of three plies before the other move two at least are decisions.
  const late = compared({ values, actions: Int32Array.of(9, 4, 5, 7) });
  expect(late).toMatchObject({ difference: "moves", otherMove: 3 });
  expect(late.farthest).toBeCloseTo(0.01, 12);
  const early = compared({ values, actions: Int32Array.of(9, 4, 1, 6) });
  expect(early).toMatchObject({ otherMove: 2 });
  expect(early.farthest).toBeCloseTo(0.0001, 12);
  expect(compared({ values, actions: Int32Array.of(8, 4, 5, 6) })).toMatchObject({
    otherMove: 0,
    farthest: 0,
  });
  expect(compared({ actions: Int32Array.of(9, 4, 5) })).toMatchObject({ difference: "moves", otherMove: 3 });
});

it("tensors are apart by the length of their difference", () => {
  const tensor = (...data: number[]) => ({ shape: [data.length], data: Float32Array.from(data) });
  expect(tensorDistance(tensor(3, 4), tensor(3, 4))).toBe(0);
  expect(tensorDistance(tensor(3, 4), tensor(3, 4.5))).toBeCloseTo(0.1, 12);
  expect(tensorDistance(tensor(0, 4), tensor(-0, 4))).toBeGreaterThan(0);
  expect(tensorDistance(tensor(3, 4), tensor(3, 4, 5))).toBe(Infinity);
  expect(tensorDistance(tensor(3, 4), undefined)).toBe(Infinity);
});
