import { describe, expect, it } from "vitest";
import { delegate } from "../../../src/games/delegate.ts";
import { CHANCE, OVER } from "../../../src/games/game.ts";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";
import { PlayoutPolicy } from "../../../src/search/playouts/playout-policy.ts";
import { strips } from "../depth-first/strips-game.ts";

/** A source of draws that gives one number of 32 bits again and again, and the first of all candidates. */
function drawing(bits: number): { readonly random: Random; readonly draws: () => number } {
  let count = 0;
  const random = {
    uint32: () => {
      count++;
      return bits;
    },
    below: () => 0,
  };
  return { random: random as unknown as Random, draws: () => count };
}

describe("an epsilon-greedy playout", () => {
  // The first legal strip is the shortest, and the preferred ones are the longest.
  const game = strips({ players: 2, cells: 12, lengths: 3 });

  /** The length of the first strip of a playout, and the number of draws between the kinds of moves. */
  function first(epsilon: number, bits: number) {
    const policy = new PlayoutPolicy(game, epsilon);
    const { random, draws } = drawing(bits);
    const state = game.initial();
    policy.play(state, random);
    expect(game.toMove(state)).toBe(OVER);
    return {
      length: Math.floor((policy.keys[0]! % game.actions) / 12) + 1,
      draws: draws(),
      plies: policy.length,
    };
  }

  it("draws from all moves where the number lies below epsilon, rounded to the nearest of its 2^32 steps", () => {
    for (const [epsilon, steps] of [
      [0.05, 214_748_365],
      [0.3, 1_288_490_189],
      [0.1, 429_496_730],
      [0.7, 3_006_477_107],
      [0.25, 2 ** 30],
    ] as const) {
      expect(Math.abs(steps - epsilon * 2 ** 32)).toBeLessThanOrEqual(0.5);
      const uniform = first(epsilon, steps - 1);
      expect(uniform.length).toBe(1);
      expect(uniform.draws).toBe(uniform.plies);
      expect(first(epsilon, steps).length).toBe(3);
    }
  });

  it("with an epsilon of 0 or 1 takes no draw to decide", () => {
    for (const bits of [0, 2 ** 32 - 1]) {
      expect(first(0, bits)).toMatchObject({ length: 3, draws: 0 });
      expect(first(1, bits)).toMatchObject({ length: 1, draws: 0 });
    }
  });
});

describe("a playout of a game that plays to the end by itself", () => {
  it("has the decisions, the draws and the returns of a playout move by move", () => {
    const game = openGame("daihinmin");
    const playouts = game.playouts!;
    expect("finish" in playouts).toBe(true);
    const whole = new PlayoutPolicy(game, 1);
    const byMoves = {
      uniform: playouts.uniform.bind(playouts),
      preferred: playouts.preferred.bind(playouts),
    };
    const stepwise = new PlayoutPolicy({ ...delegate(game), playouts: byMoves }, 1);
    for (let number = 0; number < 20; number++) {
      const random = Random.named("whole playouts", number);
      const state = game.initial();
      while (game.toMove(state) === CHANCE) game.play(state, game.chance!.sample(state, random));
      const other = game.initial();
      game.copy(state, other);
      const draws = Random.resume(random.state());
      whole.play(state, random);
      stepwise.play(other, draws);
      expect(whole.length).toBeGreaterThan(0);
      expect(whole.keys.slice(0, whole.length)).toEqual(stepwise.keys.slice(0, stepwise.length));
      expect(whole.seats.slice(0, whole.length)).toEqual(stepwise.seats.slice(0, stepwise.length));
      expect(game.notation.position(state)).toBe(game.notation.position(other));
      expect(random.state()).toEqual(draws.state());
    }
  });
});
