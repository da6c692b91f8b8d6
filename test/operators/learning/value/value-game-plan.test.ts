import { describe, expect, it } from "vitest";
import { OVER, type Game } from "../../../../src/games/game.ts";
import { createGame } from "../../../../src/games/registry.ts";
import {
  examplePlies,
  isHeldOut,
  randomPlyOf,
  withRandomMove,
} from "../../../../src/operators/learning/value/value-game-plan.ts";
import { Random } from "../../../../src/random.ts";
import { randomGame } from "../replay/random-game.ts";

const game = createGame("tic-tac-toe", {}) as Game<unknown>;

/** The state after some actions. */
function after(actions: ArrayLike<number>) {
  const state = game.initial();
  for (const action of Array.from(actions)) game.play(state, action);
  return state;
}

describe("the plan of a game for a value net", () => {
  it("draws the number of the random move uniformly, for each attempt anew", () => {
    const counts = [0, 0, 0, 0, 0];
    for (let number = 0; number < 1000; number++)
      counts[
        randomPlyOf({ longest: 5 }, 3, "games", { game: number % 50, attempt: (number / 50) | 0 }) - 1
      ]!++;
    // 200 expected each; four standard deviations are 51.
    for (const count of counts) expect(Math.abs(count - 200)).toBeLessThan(51);
  });

  it("draws the random move uniformly from the legal moves, after the first moves", () => {
    const before = [4, 0];
    const drawn = new Map<number, number>();
    for (let seed = 0; seed < 700; seed++) {
      const moves = withRandomMove(game, before, 3, Random.named("move", seed))!;
      expect(moves.slice(0, 2)).toEqual(before);
      drawn.set(moves[2]!, (drawn.get(moves[2]!) ?? 0) + 1);
    }
    expect([...drawn.keys()].toSorted((a, b) => a - b)).toEqual([1, 2, 3, 5, 6, 7, 8]);
    // 100 expected each; four standard deviations are 37.
    for (const count of drawn.values()) expect(Math.abs(count - 100)).toBeLessThan(37);
  });

  it("gives up games that are over before or after their random move", () => {
    for (let seed = 0; seed < 40; seed++) {
      const { actions } = randomGame(game, seed);
      const { length } = actions;
      const random = Random.named("over", seed);
      expect(withRandomMove(game, actions, length + 1, random)).toBeUndefined();
      expect(withRandomMove(game, actions, length + 2, random)).toBeUndefined();
      const last = withRandomMove(game, actions.slice(0, -1), length, random);
      if (last !== undefined) expect(game.toMove(after(last))).not.toBe(OVER);
    }
    expect(withRandomMove(game, [0, 3, 1, 4, 2], 6, Random.named("won"))).toBeUndefined();
  });

  it("takes the position after the random move, or all from there on", () => {
    const { actions } = randomGame(game, 2);
    expect(examplePlies(game, actions, 3, "one")).toEqual([3]);
    expect(examplePlies(game, actions, 3, "all")).toEqual(actions.map((_, ply) => ply).slice(3));
  });

  it("holds games out evenly", () => {
    const held = (share: number) => Array.from({ length: 40 }, (_, i) => isHeldOut({ heldOut: share }, i));
    expect(held(0.25).filter(Boolean)).toHaveLength(10);
    expect(held(0.25).map(Number).join("").startsWith("00010001")).toBe(true);
    expect(held(0).some(Boolean)).toBe(false);
  });
});
