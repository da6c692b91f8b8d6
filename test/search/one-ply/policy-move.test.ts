import { describe, expect, it } from "vitest";
import { ticTacToe } from "../../../src/games/tic-tac-toe/tic-tac-toe.ts";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { openSearch } from "../../../src/search/registry.ts";

/** Priors of the legal moves in order, not normalised, and a value. */
const policy = (...probabilities: number[]) => ({
  evaluate: ({ values, priors }: { values: Float64Array; priors?: Float32Array }) => {
    values.set([0.75, 0.25]);
    priors!.set(probabilities);
  },
});

/** The shares of moves among draws by a policy at the middle of a game; moves 2, 4, 7 and 8 are free. */
function shares(temperature: number, evaluator: ReturnType<typeof policy>): number[] {
  const search = openSearch("policy", ticTacToe, { temperature });
  const state = ticTacToe.initial();
  for (const action of [0, 1, 3, 6, 5]) ticTacToe.play(state, action);
  const random = Random.named("draws", temperature);
  const counts = new Map([2, 4, 7, 8].map((action) => [action, 0]));
  const draws = 4000;
  for (let i = 0; i < draws; i++) {
    const { action } = drive(search.search(state, random, 5), evaluator);
    counts.set(action, counts.get(action)! + 1);
  }
  return [...counts.values()].map((count) => count / draws);
}

const close = (expected: readonly number[]) => expected.map((share): unknown => expect.closeTo(share, 1));

describe("policy", () => {
  it("draws moves in proportion to p^(1/T)", () => {
    const p = [0.1, 0.4, 0.2, 0.3];
    for (const temperature of [1, 0.5, 2]) {
      const weights = p.map((each) => each ** (1 / temperature));
      const sum = weights.reduce((a, b) => a + b);
      expect(shares(temperature, policy(...p))).toEqual(close(weights.map((weight) => weight / sum)));
    }
  });

  it("plays the first of the likeliest moves at temperature 0, without a draw", () => {
    const search = openSearch("policy", ticTacToe, { temperature: 0 });
    const random = Random.named("none");
    const before = random.state();
    const evaluator = policy(0.1, 0.2, 0.3, 0.1, 0.3, 0);
    const { action, values } = drive(search.search(ticTacToe.initial(), random, 0), evaluator);
    expect(action).toBe(2);
    expect(values).toEqual([0.75, 0.25]);
    expect(random.state()).toEqual(before);
  });

  it("never plays a move without probability, and any move where none has one", () => {
    expect(shares(1, policy(0, 0.5, 0, 0.5))).toEqual(close([0, 0.5, 0, 0.5]));
    expect(shares(1, policy(0, 0, 0, 0))).toEqual(close([0.25, 0.25, 0.25, 0.25]));
    // Powers of small numbers do not vanish: the weights are relative to the likeliest move.
    expect(shares(0.01, policy(1e-6, 2e-6, 0, 1e-6))).toEqual([0, 1, 0, 0]);
  });
});
