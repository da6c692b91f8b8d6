import { describe, expect, it } from "vitest";
import { perft, PerftTooLarge } from "../../src/games/perft.ts";
import { ticTacToe } from "../../src/games/tic-tac-toe/tic-tac-toe.ts";

describe("perft", () => {
  it("leaves the state as it was", () => {
    const state = ticTacToe.initial();
    ticTacToe.play(state, 4);
    const before = structuredClone(state);
    expect(perft(ticTacToe, state, 0)).toBe(1);
    expect(perft(ticTacToe, state, 3)).toBe(8 * 7 * 6);
    expect(state).toEqual(before);
  });

  it("stops at a limit", () => {
    const state = ticTacToe.initial();
    expect(perft(ticTacToe, state, 3, 1 + 9 + 72)).toBe(504);
    expect(() => perft(ticTacToe, state, 3, 81)).toThrow(PerftTooLarge);
  });
});
