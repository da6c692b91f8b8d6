import { expect, it } from "vitest";
import { perft } from "../../../src/games/perft.ts";
import { openGame } from "../../../src/games/registry.ts";
import { countFrom } from "../../games/connect-four/reference.ts";

it("counts 390,216 and 3,005,288 sequences of 8 and 9 moves in Othello (A. Bik)", () => {
  const game = openGame("othello");
  expect([8, 9].map((depth) => perft(game, game.initial(), depth))).toEqual([390_216, 3_005_288]);
});

it("counts 5,673,234 sequences of 8 moves in Connect Four, and from two positions as many as the plain rules", () => {
  const game = openGame("connect-four");
  expect(perft(game, game.initial(), 8)).toBe(5_673_234);
  for (const columns of [
    [0, 3, 0, 3],
    [3, 3, 3, 3],
  ]) {
    const state = game.initial();
    for (const column of columns) game.play(state, column);
    expect(perft(game, state, 5)).toBe(countFrom(game.notation.position(state), 5));
  }
});

it.each([
  ["2048", {}, 4, 101_120, "counted by the plain rules"],
  ["connect-four", {}, 6, 117_649, "7^6: no column is full"],
  ["connect-four", {}, 7, 823_536, "7^7 less the 7 ways to put all stones into one column"],
  ["blokus", {}, 3, 195_112, "58^3: first moves in corners of their own"],
  ["blokus", { size: 12, largestPiece: 4 }, 4, 194_481, "21^4: first moves in corners of their own"],
  ["blokus-duo", {}, 2, 171_396, "414^2: no two of the first moves touch"],
] as [string, Record<string, unknown>, number, number, string][])(
  "counts the sequences of moves of %s %o, %i plies: %i (%s)",
  (rules, options, depth, count) => {
    const game = openGame(rules, options);
    expect(perft(game, game.initial(), depth)).toBe(count);
  },
);
