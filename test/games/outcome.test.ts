import { describe, expect, it } from "vitest";
import { Game2048 } from "../../src/games/2048/2048.ts";
import { playedFor, winsAndLosses, winShares } from "../../src/games/outcome.ts";
import { ticTacToe } from "../../src/games/tic-tac-toe/tic-tac-toe.ts";

describe("the outcome of a game", () => {
  it.each([
    { returns: [3, -5], shares: [1, 0] },
    { returns: [7, 7], shares: [0.5, 0.5] },
    { returns: [-4, -9, -4, -4], shares: [1 / 3, 0, 1 / 3, 1 / 3] },
  ])("is shared by those with the greatest return: $returns", ({ returns, shares }) => {
    const out = new Float64Array(returns.length);
    winShares(Float64Array.from(returns), out);
    expect([...out]).toEqual(shares);
  });

  it("can be a win or loss for each seat: every winner has 1, also if there are several, and the others -1", () => {
    const out = new Float64Array(4);
    for (const [returns, wanted] of [
      [
        [-12, 3, -40, 3],
        [-1, 1, -1, 1],
      ],
      [
        [0, 0, 0, 0],
        [1, 1, 1, 1],
      ],
      [
        [-89, -88, -89, -89],
        [-1, 1, -1, -1],
      ],
    ] as const) {
      winsAndLosses(Float64Array.from(returns), out);
      expect([...out]).toEqual(wanted);
    }
  });

  it("is nothing until the game is over, in a game played for wins and losses", () => {
    const view = playedFor(ticTacToe, "win-loss");
    const returns = new Float64Array(2);
    const along = (actions: readonly number[]) => {
      const state = view.initial();
      return actions.map((action) => {
        view.play(state, action);
        view.returns(state, returns);
        return [...returns];
      });
    };
    const none = Array.from({ length: 4 }, () => [0, 0]);
    expect(along([0, 3, 1, 4, 2])).toEqual([...none, [1, -1]]);
    // A draw: both have won.
    expect(along([0, 1, 2, 4, 3, 5, 7, 6, 8])).toEqual([...none, ...none, [1, 1]]);
    expect(view.returnBounds).toEqual([-1, 1]);
    expect(playedFor(ticTacToe, "returns")).toBe(ticTacToe);
    expect(playedFor(ticTacToe, "win-share").returnBounds).toEqual([0, 1]);
  });

  it("is all that a game is played for, in its view, from its end on", () => {
    const view = playedFor(ticTacToe, "win-share");
    const state = view.initial();
    const returns = new Float64Array(2);
    for (const action of [0, 3, 1, 4, 2]) {
      view.returns(state, returns);
      expect([...returns]).toEqual([0, 0]);
      view.play(state, action);
    }
    view.returns(state, returns);
    expect([...returns]).toEqual([1, 0]);
    expect(view.returnBounds).toEqual([0, 1]);
    expect(view.notation).toBe(ticTacToe.notation);
  });

  it("can be taken of games that are classes", () => {
    const game = new Game2048({ rows: 2, columns: 2 });
    const view = playedFor(game, "win-share");
    const state = view.initial();
    view.play(state, 0);
    expect(view.maxLegal).toBe(game.maxLegal);
    expect(view.legal(state, new Int32Array(view.maxLegal))).toBe(
      game.legal(state, new Int32Array(game.maxLegal)),
    );
    const returns = new Float64Array(1);
    view.returns(state, returns);
    expect([...returns]).toEqual([0]);
  });
});
