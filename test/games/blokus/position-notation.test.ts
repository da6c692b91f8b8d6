import { describe, expect, it } from "vitest";
import type { GameBlokus } from "../../../src/games/blokus/blokus.ts";
import { openGame } from "../../../src/games/registry.ts";

const classic = openGame("blokus") as GameBlokus;
const duo = openGame("blokus-duo") as GameBlokus;

/** Empty rows of Duo. */
const rows = (count: number) => Array.from({ length: count }, () => "14").join("/");

describe("positions of Blokus as text", () => {
  it.each([classic, duo])(
    "of $name hold a first piece of any shape, wherever it covers the start cell",
    (game) => {
      const legal = new Int32Array(game.maxLegal);
      const count = game.legal(game.initial(), legal);
      expect(count).toBe(game === duo ? 414 : 58);
      for (const action of legal.subarray(0, count)) {
        const state = game.initial();
        game.play(state, action);
        expect(game.notation.parsePosition(game.notation.position(state))).toEqual({ state });
      }
    },
  );

  it.each([
    ["c11", `${rows(3)}/2BB10/4B9/${rows(9)}`],
    ["f11", `${rows(3)}/5BB7/4B9/${rows(9)}`],
    ["c9", `${rows(4)}/4B9/2BB10/${rows(8)}`],
    ["f9", `${rows(4)}/4B9/5BB7/${rows(8)}`],
  ])("join pieces at all four corners of a square: %s to e10", (last, board) => {
    const text = `${board} BO O - e10,${last}`;
    const reading = duo.notation.parsePosition(text);
    if ("error" in reading) throw new Error(reading.error.message);
    expect(duo.notation.position(reading.state)).toBe(text);
  });

  it("do not join the left edge of the board to the right one", () => {
    // The piece that ends at n11 and the piece that begins at a10, one row below, are neighbours in reading order.
    const text = `${rows(3)}/5BBBB3BB/BBBBB4BBB2/${rows(9)} BO O - f11,a10,j10,m11`;
    const reading = duo.notation.parsePosition(text);
    if ("error" in reading) throw new Error(reading.error.message);
    expect(duo.notation.position(reading.state)).toBe(text);
    expect([...reading.state.placed]).toEqual([14, 0]);
    // Nor do n12 and n10 touch a10 by corners, which they would if the rows were one long line.
    for (const board of [`${rows(2)}/12BB/14/BBBBB9/${rows(9)}`, `${rows(4)}/BBBBB7BB/${rows(9)}`])
      expect(duo.notation.parsePosition(`${board} BO O - -`)).toHaveProperty(
        "error.message",
        expect.stringMatching(/not joined to its start cell by corners/),
      );
  });
});
