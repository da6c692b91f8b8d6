import { describe, expect, it } from "vitest";
import type { Evaluator } from "../../../src/games/evaluation.ts";
import { OVER } from "../../../src/games/game.ts";
import { winShares } from "../../../src/games/outcome.ts";
import { ticTacToe } from "../../../src/games/tic-tac-toe/tic-tac-toe.ts";
import { LinearValue } from "../../../src/models/linear/linear-value.ts";
import { linear } from "../../../src/models/linear/linear.ts";
import { type LearnerOptions, type SavedArrays, greedily } from "../../../src/models/tables.ts";
import { TdLambdaLearner } from "../../../src/models/linear/td-lambda.ts";
import { Random } from "../../../src/random.ts";
import { referenceGame, type ReferenceLearning, someOpening } from "./td-lambda-reference.ts";

const game = ticTacToe;
const names = game.linear!.features!.names;
const source: LearnerOptions = { lambda: 0.8, step: { use: "td", rate: 0.01 }, decay: 100 };
const arrays = (saved: SavedArrays) => new Map([...saved].map(([name, { data }]) => [name, data]));

function fresh(options: LearnerOptions) {
  const value = new LinearValue(game, new SharedArrayBuffer(8 * names.length));
  return { value, learner: new TdLambdaLearner(value, game, options) };
}

describe("the TD(lambda) learner", () => {
  it.each<{ name: string; options: LearnerOptions; epsilon: number; opening: number }>([
    { name: "as the source: lambda .8, falling rate, greedy", options: source, epsilon: 0, opening: 0 },
    { name: "epsilon-greedy, traces cut", options: source, epsilon: 0.3, opening: 0 },
    { name: "epsilon-greedy, traces kept", options: { ...source, traces: "keep" }, epsilon: 0.3, opening: 0 },
    { name: "openings, traces cut", options: { ...source, traces: "cut" }, epsilon: 0, opening: 3 },
    { name: "openings, traces kept", options: { ...source, traces: "keep" }, epsilon: 0.1, opening: 2 },
    {
      name: "TD(0) at a fixed rate",
      options: { lambda: 0, step: { use: "td", rate: 0.1 } },
      epsilon: 0.2,
      opening: 1,
    },
    {
      name: "Monte Carlo",
      options: { lambda: 1, step: { use: "td", rate: 0.05 } },
      epsilon: 0.2,
      opening: 1,
    },
  ])("learns as the formulas say, to the last bit: $name", ({ options, epsilon, opening }) => {
    const { value, learner } = fresh(options);
    const reference: ReferenceLearning = { theta: names.map(() => 0), games: 0 };
    for (let i = 0; i < 60; i++) {
      const draws = Random.named("opening", i);
      const first = someOpening(game, opening, draws);
      learner.playGame(Random.named("game", i), { opening: first, epsilon });
      const actions = referenceGame(game, reference, options, Random.named("game", i), first, epsilon);
      expect([...learner.actions]).toEqual(actions);
      expect([...value.weights]).toEqual(reference.theta);
    }
    expect(reference.theta.some((weight) => weight !== 0)).toBe(true);
  });

  it("tells the outcome, and what each decision was expected to reach", () => {
    const { value, learner } = fresh({ lambda: 0.5, step: { use: "td", rate: 0.1 } });
    for (let i = 0; i < 20; i++) learner.playGame(Random.named("warm", i), { opening: [], epsilon: 0.5 });
    const before = value.weights.slice();
    const played = learner.playGame(Random.named("once"), greedily);
    const state = game.initial();
    for (const action of learner.actions) game.play(state, action);
    expect(game.toMove(state)).toBe(OVER);
    const returns = new Float64Array(2);
    game.returns(state, returns);
    const reached = new Float64Array(2);
    winShares(returns, reached);
    expect(played.returns).toEqual([...reached]);
    expect(played.plies).toBe(learner.actions.length);
    expect(learner.values.length).toBe(2 * played.plies);
    // The first decision was made with the weights as they were before the game.
    value.weights.set(before);
    const first = game.initial();
    game.play(first, learner.actions[0]!);
    const expected = value.value(first);
    expect(Array.from(learner.values.subarray(0, 2))).toEqual([expected, 1 - expected]);
    expect(played.startValue).toBe(expected);
  });

  it("learns to play: against random moves it loses less than half as often as before", () => {
    const { value, learner } = fresh({ lambda: 0.8, step: { use: "td", rate: 0.02 }, decay: 1000 });
    const evaluator = linear.open(game, {}).evaluator!(value.weights.buffer);
    const lost = () => {
      let count = 0;
      for (let i = 0; i < 400; i++) if (losesToRandom(evaluator, i % 2, Random.named("match", i))) count++;
      return count;
    };
    const before = lost();
    for (let i = 0; i < 2000; i++) learner.playGame(Random.named("play", i), { opening: [], epsilon: 0.2 });
    expect(before).toBeGreaterThan(40);
    expect(lost()).toBeLessThan(before / 2);
  });

  it("goes on from a checkpoint bit by bit", () => {
    const open = linear.open(game, {});
    const explore = { opening: [4], epsilon: 0.2 };
    const unbroken = open.load(new Map());
    const learner = open.learner(unbroken, source);
    for (let i = 0; i < 30; i++) learner.playGame(Random.named(i), explore);
    const weights = open.save(unbroken);
    const state = learner.state();
    const resumed = open.load(arrays(weights));
    const second = open.learner(resumed, source);
    second.restore(arrays(state));
    for (let i = 30; i < 60; i++)
      expect(second.playGame(Random.named(i), explore)).toEqual(learner.playGame(Random.named(i), explore));
    expect(open.save(resumed)).toEqual(open.save(unbroken));
    expect(second.state()).toEqual(learner.state());
    expect(() => open.load(new Map([["weights", new Float64Array(3)]]))).toThrow(RangeError);
  });
});

/** Whether greedy play by these values, at one seat, loses a game against random moves. */
function losesToRandom(evaluator: Evaluator<any>, seat: number, random: Random): boolean {
  const state = game.initial();
  const legal = new Int32Array(9);
  const returns = new Float64Array(2);
  while (game.toMove(state) !== OVER) {
    const count = game.legal(state, legal);
    let chosen = legal[random.below(count)]!;
    if (game.toMove(state) === seat) {
      const worth = Array.from(legal.subarray(0, count), (action) => {
        const next = game.initial();
        game.copy(state, next);
        game.play(next, action);
        game.returns(next, returns);
        const request = { states: [next], count: 1, values: new Float64Array(2) };
        evaluator.evaluate(request);
        return returns[seat]! + request.values[seat]!;
      });
      chosen = legal[worth.indexOf(Math.max(...worth))]!;
    }
    game.play(state, chosen);
  }
  game.returns(state, returns);
  return returns[seat] === 0;
}
