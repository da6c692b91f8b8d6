import { describe, expect, it } from "vitest";
import { cellsOfAction } from "../../../src/games/blokus/board.ts";
import { duoBoard } from "../../../src/games/blokus/blokus.ts";
import { parsePlacement } from "../../../src/games/blokus/notation.ts";

/** The cells that a text lays a piece on, counted from the top left. */
function cellsOf(text: string): (readonly [number, number])[] | undefined {
  const action = parsePlacement(duoBoard(), text);
  return action === undefined ? undefined : cellsOfAction(duoBoard(), action);
}

describe("moves of Blokus as text", () => {
  it("name the cells of a piece in any order and either case", () => {
    const cells = [
      [0, 12],
      [0, 13],
      [1, 13],
    ];
    for (const text of ["a2,a1,b1", "b1,a2,a1", "B1,a1,A2"]) expect(cellsOf(text)).toEqual(cells);
    expect(cellsOf("n14")).toEqual([[13, 0]]);
  });

  it.each([
    ["a cell twice", "a1,a1"],
    ["a cell twice in different cases", "a2,a1,A1"],
    ["a column outside the board", "o1"],
    ["a row outside the board", "a15"],
    ["a cell outside the board after one inside", "n1,o1"],
    ["cells that do not hang together", "a1,c1"],
    ["cells that hang together by corners only", "a1,b2"],
    ["six cells", "a1,b1,c1,d1,e1,f1"],
    ["cells too far from each other across", "a1,f1"],
    ["cells too far from each other down", "a1,a6"],
    ["no cell", ""],
    ["a comma too many", "a1,"],
    ["a row with a leading zero", "a01"],
  ])("are not %s: %s", (_, text) => expect(parsePlacement(duoBoard(), text)).toBe(undefined));
});
