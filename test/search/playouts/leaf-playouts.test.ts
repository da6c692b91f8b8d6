import { describe, expect, it } from "vitest";
import type { EvaluationRequest } from "../../../src/games/evaluation.ts";
import { OVER } from "../../../src/games/game.ts";
import { openGame } from "../../../src/games/registry.ts";
import { ticTacToe } from "../../../src/games/tic-tac-toe/tic-tac-toe.ts";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { LeafPlayouts } from "../../../src/search/playouts/leaf-playouts.ts";
import { openSearch } from "../../../src/search/registry.ts";

/** The state after these cells have been taken in turn. */
function after(...cells: readonly number[]) {
  const state = ticTacToe.initial();
  for (const cell of cells) ticTacToe.play(state, cell);
  return state;
}

describe("playouts from a leaf", () => {
  it("mix what they earn into the net's values", () => {
    // One cell is left, where the first seat completes a row.
    const leaf = after(0, 3, 1, 4, 5, 6, 8, 7);
    const mixer = new LeafPlayouts(ticTacToe, { weight: 0.25, epsilon: 1 });
    const values = Float64Array.of(0.4, 0.6);
    mixer.mix(leaf, values, Random.named("one"));
    expect([...values]).toEqual([0.75 * 0.4 + 0.25, 0.75 * 0.6]);
    expect(ticTacToe.toMove(leaf)).toBe(0);
  });

  it("earn on the average what uniformly random play does", () => {
    const leaf = after(0, 4, 8, 2);
    const exact = (state: typeof leaf): number => {
      const returns = new Float64Array(2);
      if (ticTacToe.toMove(state) === OVER) {
        ticTacToe.returns(state, returns);
        return returns[0]!;
      }
      const legal = new Int32Array(9);
      const count = ticTacToe.legal(state, legal);
      let sum = 0;
      for (let i = 0; i < count; i++) {
        const next = ticTacToe.initial();
        ticTacToe.copy(state, next);
        ticTacToe.play(next, legal[i]!);
        sum += exact(next);
      }
      return sum / count;
    };
    const mixer = new LeafPlayouts(ticTacToe, { weight: 1, epsilon: 1 });
    const random = Random.named("mean");
    let sum = 0;
    for (let i = 0; i < 4000; i++) {
      const values = new Float64Array(2);
      mixer.mix(leaf, values, random);
      sum += values[0]!;
    }
    expect(sum / 4000).toBeCloseTo(exact(leaf), 1);
  });

  it("count from the leaf on, in a game that counts as it goes", () => {
    const game = openGame("blokus");
    const state = game.initial();
    const random = Random.named("blokus");
    const legal = new Int32Array(game.maxLegal);
    const returns = new Float64Array(4);
    for (let ply = 0; ply < 40; ply++) game.play(state, legal[random.below(game.legal(state, legal))]!);
    game.returns(state, returns);
    const values = new Float64Array(4);
    new LeafPlayouts(game, { weight: 1, epsilon: 0.05 }).mix(state, values, random);
    for (const [seat, value] of values.entries()) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(20 - returns[seat]!);
    }
    expect(Math.max(...values)).toBeGreaterThan(0);
  });

  it.each(["puct-max-n", "gumbel"])(
    "take the place of the net's values in %s where their weight is 1",
    (use) => {
      const decided = (value: number, weight: number) => {
        const evaluator = {
          evaluate: ({ count, values, priors }: EvaluationRequest<unknown>) => {
            values.fill(value, 0, 2 * count);
            priors?.fill(1 / 9);
          },
        };
        const search = openSearch(use, ticTacToe, { simulations: 40, playouts: { weight, epsilon: 1 } });
        return structuredClone(drive(search.search(after(0), Random.named("place"), 0), evaluator));
      };
      expect(decided(0.1, 1)).toEqual(decided(0.9, 1));
      expect(decided(0.1, 0.5).values).not.toEqual(decided(0.9, 0.5).values);
    },
  );
});
