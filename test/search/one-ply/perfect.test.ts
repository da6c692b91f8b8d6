import { describe, expect, it } from "vitest";
import { drive } from "../../../src/search/drive.ts";
import { GameConnectFour } from "../../../src/games/connect-four/connect-four.ts";
import { createGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";
import { openSearch } from "../../../src/search/registry.ts";
import { solve } from "../solver.ts";

const none = { evaluate: () => undefined };

describe("perfect", () => {
  it("reaches the result of the game from random positions, against itself", () => {
    const game = new GameConnectFour({ columns: 5, rows: 4 });
    const legal = new Int32Array(game.maxLegal);
    const random = Random.named("perfect");
    const seats = [0, 1].map(() => openSearch<ReturnType<typeof game.initial>>("perfect", game, {}));
    const results = new Set<string>();
    for (let n = 0; n < 40; n++) {
      const state = game.initial();
      for (let ply = 0; ply < 12 && game.toMove(state) >= 0; ply++)
        game.play(state, legal[random.below(game.legal(state, legal))]!);
      if (game.toMove(state) < 0) continue;
      const expected = solve(game, state);
      for (let ply = 0; game.toMove(state) >= 0; ply++)
        game.play(
          state,
          drive(seats[game.toMove(state)]!.search(state, Random.named("moves", n, ply), ply), none).action,
        );
      const returns = new Float64Array(2);
      game.returns(state, returns);
      expect([...returns]).toEqual(expected);
      results.add(expected.join(" "));
    }
    // Wins of both seats and draws were among them.
    expect(results.size).toBe(3);
  });

  it("is refused in a game that is not solved", () => {
    expect(() => openSearch("perfect", createGame("othello", {}), {})).toThrow(
      /othello is not solved: take a search/,
    );
  });
});
