import { expect, it } from "vitest";
import { collectionOf } from "../../../../src/operators/learning/collection/collection-of.ts";

it("keeps games in their order, on memory that threads share", () => {
  const collection = collectionOf(
    "archive",
    2,
    ["weak", "strong"],
    [
      { moves: [3, 1, 65_535], returns: [1, 0], part: 0, group: 1 },
      { moves: [], returns: [Number.NaN, Number.NaN], part: 2, group: 0, start: "X./.. O" },
      { moves: Uint16Array.of(2), returns: [0.5, 0.5], part: 1, group: 0 },
    ],
  );
  expect(collection).toEqual({
    source: "archive",
    games: 3,
    positions: 4,
    moves: Uint16Array.of(3, 1, 65_535, 2),
    offsets: Uint32Array.of(0, 3, 3, 4),
    returns: Float32Array.of(1, 0, Number.NaN, Number.NaN, 0.5, 0.5),
    parts: Uint8Array.of(0, 2, 1),
    groupOf: Uint8Array.of(1, 0, 0),
    groups: ["weak", "strong"],
    starts: new Map([[1, "X./.. O"]]),
  });
  const { groupOf, moves, offsets, parts, returns } = collection;
  for (const { buffer } of [groupOf, moves, offsets, parts, returns])
    expect(buffer).toBeInstanceOf(SharedArrayBuffer);
});
