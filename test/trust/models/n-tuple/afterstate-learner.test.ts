import { describe, expect, it } from "vitest";
import { Game2048, type State2048 } from "../../../../src/games/2048/2048.ts";
import { CHANCE } from "../../../../src/games/game.ts";
import { AfterstateLearner } from "../../../../src/models/n-tuple/afterstate-learner.ts";
import { NTupleNetwork } from "../../../../src/models/n-tuple/network.ts";
import { nTuple } from "../../../../src/models/n-tuple/n-tuple.ts";
import type { LearnerOptions, SavedArrays } from "../../../../src/models/tables.ts";
import { Random } from "../../../../src/random.ts";
import { optimum2048 } from "../../../models/n-tuple/optimum-2048.ts";
import { optimum } from "../../../models/n-tuple/optimum.ts";

const arrays = (saved: SavedArrays) => new Map([...saved].map(([name, { data }]) => [name, data]));
const tc = (lambda: number): LearnerOptions => ({ lambda, step: { use: "tc", rate: 1 } });
const td = (lambda: number, rate: number): LearnerOptions => ({ lambda, step: { use: "td", rate } });

function small(rows: number, columns: number, initialValue: number, options: LearnerOptions) {
  const game = new Game2048({ rows, columns });
  const network = NTupleNetwork.create(game, { tuples: "board", initialValue });
  return { game, network, learner: new AfterstateLearner(network, game, options) };
}

/** The expected value of the start by the network: over the two opening tiles, of the best move. */
function startValue(game: Game2048, network: NTupleNetwork, state: State2048 = game.initial()): number {
  if (state.toMove !== CHANCE) {
    const request = { states: [state], count: 1, values: new Float64Array(1) };
    network.evaluate(request);
    return request.values[0]!;
  }
  const outcomes = new Int32Array(game.maxLegal);
  const probabilities = new Float64Array(game.maxLegal);
  const count = game.chance.outcomes(state, outcomes, probabilities);
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const next = game.initial();
    game.copy(state, next);
    game.play(next, outcomes[i]!);
    sum += probabilities[i]! * startValue(game, network, next);
  }
  return sum;
}

describe("the afterstate learner", () => {
  it.each([
    { name: "TC", options: tc(0) },
    { name: "TC with lambda", options: tc(0.5) },
    { name: "TD", options: td(0, 0.05) },
    { name: "TD with lambda", options: td(0.5, 0.05) },
  ])("comes near the exact optimum of the 2x2 board: $name", ({ options }) => {
    const { game, network, learner } = small(2, 2, 100, options);
    for (let i = 0; i < 10_000; i++) learner.playGame(Random.named(1, i));
    const exact = optimum(game);
    expect(exact).toBeCloseTo(66.9641494571, 8);
    expect(game.figures.optimum).toBeCloseTo(exact, 9);
    expect(Math.abs(startValue(game, network) / exact - 1)).toBeLessThan(0.04);
  });

  it("comes near the exact optimum of the 2x3 board, in value and in what it earns", () => {
    // A table of all positions generalises nothing: the optimistic beginning is what makes it try every move, and
    // coherence would come to rest before that is done.
    const { game, network, learner } = small(2, 3, 700, td(0, 0.5));
    for (let i = 0; i < 10_000; i++) learner.playGame(Random.named(2, i));
    let score = 0;
    for (let i = 0; i < 1_000; i++) score += learner.playGame(Random.named(3, i)).returns[0]! / 1_000;
    const exact = optimum(game);
    expect(exact).toBeCloseTo(480.258271776, 8);
    for (const each of [game, new Game2048({ rows: 3, columns: 2 })])
      expect(each.figures.optimum).toBeCloseTo(exact, 9);
    expect(optimum2048(2, 3).value).toBeCloseTo(exact, 8);
    expect(Math.abs(startValue(game, network) / exact - 1)).toBeLessThan(0.08);
    expect(score / exact).toBeGreaterThan(0.82);
  });

  it("notes the game that it played: the actions lead to its score, the values are the greedy ones", () => {
    const { game, network, learner } = small(2, 3, 100, tc(0.5));
    for (let i = 0; i < 200; i++) learner.playGame(Random.named(4, i));
    const before = network.weights.slice();
    const played = learner.playGame(Random.named(4, 200));
    const { actions, values } = learner;
    network.weights.set(before);
    const state = game.initial();
    const greedy: number[] = [];
    for (const action of actions) {
      const request = { states: [state], count: 1, values: new Float64Array(1) };
      network.evaluate(request);
      if (game.toMove(state) !== CHANCE) greedy.push(request.values[0]!);
      game.play(state, action);
    }
    expect(game.legal(state, new Int32Array(game.maxLegal))).toBe(0);
    expect([...values]).toEqual(greedy);
    expect(played).toEqual({
      returns: [state.score],
      plies: actions.length,
      startValue: greedy[0],
      facts: game.figures.facts(state),
    });
  });

  it("learns the 4x4 board, in games of any length", () => {
    const game = new Game2048({ rows: 4, columns: 4 });
    const network = NTupleNetwork.create(game, { tuples: "4x6", initialValue: 0 });
    const learner = new AfterstateLearner(network, game, tc(0.5));
    let longest = 0;
    let first = 0;
    let last = 0;
    for (let i = 0; i < 400; i++) {
      const { returns, plies } = learner.playGame(Random.named(7, i));
      const score = returns[0]!;
      longest = Math.max(longest, plies);
      if (i < 100) first += score / 100;
      if (i >= 300) last += score / 100;
    }
    expect(longest).toBeGreaterThan(2100);
    expect(last).toBeGreaterThan(3 * first);
  });

  it.each([
    { name: "TC", options: tc(0.5) },
    { name: "TD", options: td(0.5, 0.1) },
    { name: "TD with restart", options: { ...td(0.5, 0.1), restart: 10 } },
    { name: "TC with restart", options: { ...tc(0), restart: 4 } },
    {
      name: "TC, begun late, with restart",
      options: { ...tc(0.5), begin: { tile: 8, games: 7 }, restart: 10 },
    },
  ])("goes on from a checkpoint bit by bit: $name", ({ options }) => {
    const game = new Game2048({ rows: 2, columns: 3 });
    const open = nTuple.open(game, { tuples: "board", initialValue: 300, stages: [] });
    const unbroken = open.load(new Map());
    const learner = open.learner(unbroken, options);
    for (let i = 0; i < 50; i++) learner.playGame(Random.named(6, i));
    const weights = open.save(unbroken);
    const state = learner.state();
    const resumed = open.load(arrays(weights));
    const second = open.learner(resumed, options);
    second.restore(arrays(state));
    for (let i = 50; i < 100; i++)
      expect(second.playGame(Random.named(6, i))).toEqual(learner.playGame(Random.named(6, i)));
    expect(open.save(resumed)).toEqual(open.save(unbroken));
    expect(second.state()).toEqual(learner.state());
  });

  it("begins a game halfway through the one before, while that one was long enough, and learns what is new", () => {
    const { network, learner } = small(2, 3, 300, { ...td(0, 0.1), restart: 8 });
    let before: number[] = [];
    let first = 0;
    let restarts = 0;
    for (let i = 0; i < 200; i++) {
      learner.playGame(Random.named(8, i));
      const decisions = learner.values.length;
      const actions = [...learner.actions];
      // Two chance plies at the beginning, and one after every decision.
      expect(actions.length).toBe(2 * decisions + 2);
      expect(actions.slice(0, first === 0 ? 0 : 2 * first + 1)).toEqual(
        before.slice(0, first === 0 ? 0 : 2 * first + 1),
      );
      const made = decisions - first;
      first = made >= 8 ? first + Math.floor(made / 2) : 0;
      if (first > 0) restarts++;
      before = actions;
    }
    expect(restarts).toBeGreaterThan(50);
    expect(restarts).toBeLessThan(195);
    expect(network.weights.some((weight) => weight !== network.initialWeight)).toBe(true);
  });

  it("begins games where one has just made a tile, and leaves what leads there as it is", () => {
    const game = new Game2048({ rows: 2, columns: 3 });
    const network = NTupleNetwork.create(game, {
      tuples: "board",
      initialValue: 300,
      stages: [16],
      promotion: false,
    });
    const { size } = network.lookup.stages;
    const learner = new AfterstateLearner(network, game, { ...td(0, 0.1), begin: { tile: 16, games: 5 } });
    const preludes: string[] = [];
    for (let i = 0; i < 60; i++) {
      const { returns, facts } = learner.playGame(Random.named(9, i));
      const state = game.initial();
      const played: number[] = [];
      for (const action of learner.actions) {
        if (Math.max(...game.board(state)) >= 16) break;
        game.play(state, action);
        played.push(action);
      }
      preludes.push(played.join(" "));
      for (const action of learner.actions.subarray(played.length)) game.play(state, action);
      expect(returns).toEqual([state.score]);
      expect(facts).toEqual(game.figures.facts(state));
    }
    // Five games each share one, and no two of these are alike.
    for (const [i, prelude] of preludes.entries()) expect(prelude).toBe(preludes[5 * Math.floor(i / 5)]);
    expect(new Set(preludes).size).toBe(12);
    const changed = (from: number) =>
      network.weights.subarray(from, from + size).some((weight) => weight !== network.initialWeight);
    expect([changed(0), changed(size)]).toEqual([false, true]);
  });

  it("says so where no game makes that tile", () => {
    const { learner } = small(2, 2, 0, { ...tc(0), begin: { tile: 1024, games: 1 } });
    expect(() => learner.playGame(Random.named(10))).toThrow(
      /none of 1,000 games made the tile 1024, with which learning begins; start from weights that reach it/,
    );
  });

  it.each([0, 0.5, 1])("steps each afterstate towards the mixture of its returns: lambda %d", (lambda) => {
    const rate = 0.25;
    const { network, learner, game } = small(2, 3, 64, td(lambda, rate));
    learner.playGame(Random.named(7));
    // The same game by the definition, on a table of values by position, symmetric ones together.
    const state = game.initial();
    const afterstates: { key: string; board: State2048; reward: number }[] = [];
    for (const action of learner.actions) {
      const decides = state.toMove !== CHANCE;
      const before = state.score;
      game.play(state, action);
      if (!decides) continue;
      const board = game.initial();
      game.copy(state, board);
      const images = [0, 1, 2, 3].map((symmetry) => {
        const image = game.initial();
        game.symmetry.transform(board, symmetry, image);
        return game.board(image).join(" ");
      });
      afterstates.push({ key: images.toSorted()[0]!, board, reward: state.score - before });
    }
    const values = new Map(afterstates.map(({ key }) => [key, 64]));
    let target = 0;
    for (const { key, reward } of afterstates.toReversed()) {
      const value = values.get(key)! + rate * (target - values.get(key)!);
      values.set(key, value);
      target = reward + (1 - lambda) * value + lambda * target;
    }
    for (const { key, board } of afterstates) expect(network.value(board)).toBeCloseTo(values.get(key)!, 3);
  });
});
