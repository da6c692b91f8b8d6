import { expect, it } from "vitest";
import { openGame } from "../../../../src/games/registry.ts";
import { pieceWords } from "../../../../src/web/pages/play/piece-names.ts";

it("names each piece of Blokus by another few words", () => {
  const shapes = openGame("blokus").drawing.pieceShapes!;
  const names = Object.entries(shapes).map(([piece, shape]) => pieceWords(piece, shape));
  expect(names).toHaveLength(21);
  expect(new Set(names).size).toBe(21);
  for (const name of [
    "the single square",
    "the bar of two",
    "the bar of five",
    "the square of four",
    "the W of five",
    "the L of four",
    "the V of three",
  ])
    expect(names).toContain(name);
});
