import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Evaluator } from "../../src/games/evaluation.ts";
import { openGame } from "../../src/games/registry.ts";
import { Random } from "../../src/random.ts";
import { drive } from "../../src/search/drive.ts";
import { openSearch } from "../../src/search/registry.ts";

const game = openGame("tic-tac-toe");

/** Every position is level, and of two moves the one with the greater number is the likelier. */
const evaluator: Evaluator<unknown> = {
  evaluate: ({ values, priors }) => {
    values.fill(0.5);
    priors?.forEach((_, i) => (priors[i] = 1 + (i % game.maxLegal)));
  },
};

// A clock that advances by 0.1 ms with each reading, so that a time is a number of simulations.
beforeEach(() => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 0.1));
});
afterEach(() => void vi.restoreAllMocks());

const sum = (numbers: Float64Array) => numbers.reduce((total, number) => total + number, 0);

it.each(["uct", "mcts-max-n", "puct-max-n"])("%s goes on as if it had not been interrupted", (use) => {
  const options = use === "puct-max-n" ? { temperature: [], noise: null } : {};
  const state = game.initial();
  const parts = openSearch(use, game, options);
  const random = Random.named(use);
  const first = drive(parts.search(state, random, 0, 3), evaluator);
  expect(sum(first.visits)).toBeGreaterThan(8);
  const before = sum(first.visits);
  const { visits, actionValues, action } = drive(parts.resume!(state, random, 0, 5), evaluator);
  expect(sum(visits)).toBeGreaterThan(before + 16);
  const whole = openSearch(use, game, { ...options, simulations: sum(visits) });
  const expected = drive(whole.search(state, Random.named(use), 0), evaluator);
  expect({ action, visits, actionValues }).toEqual({
    action: expected.action,
    visits: expected.visits,
    actionValues: expected.actionValues,
  });
});

it("a time in place of depth or simulations holds for one decision", () => {
  const state = game.initial();
  const uct = openSearch("uct", game, { simulations: 30 });
  const count = (milliseconds?: number) =>
    sum(drive(uct.search(state, Random.named("count"), 0, milliseconds), evaluator).visits);
  expect([count(), count(20) > 100, count()]).toEqual([30, true, 30]);
  const flat = openSearch("flat-monte-carlo", game, { simulations: 30 });
  expect(sum(drive(flat.search(state, Random.named(0), 0, 20), evaluator).visits)).toBeGreaterThan(100);
  // Two moves ahead nothing is decided; with time enough the whole game is searched.
  const deep = openSearch("max-n", game);
  game.play(state, 4);
  game.play(state, 1);
  const value = (milliseconds?: number) =>
    drive(deep.search(state, Random.named(0), 2, milliseconds), evaluator).values;
  expect([value(), value(1e6)]).toEqual([
    [0, 0],
    [1, 0],
  ]);
});

it("a search that plans for its simulations keeps to them", () => {
  const gumbel = openSearch("gumbel", game, { simulations: 16 });
  const { visits } = drive(gumbel.search(game.initial(), Random.named(0), 0, 50), evaluator);
  expect(sum(visits)).toBe(16);
  expect(gumbel.resume === undefined).toBe(true);
});

it("a principal variation is a line of legal moves, the most visited ones", () => {
  const uct = openSearch("uct", game, { simulations: 2000 });
  const state = game.initial();
  const { action, actions } = drive(uct.search(state, Random.named("line"), 0), evaluator);
  for (const each of actions) {
    const { variation, prior } = uct.outlook!(each);
    expect(prior).toBe(undefined);
    expect(variation[0]).toBe(each);
    const at = game.initial();
    for (const move of variation) {
      const legal = new Int32Array(game.maxLegal);
      expect([...legal.subarray(0, game.legal(at, legal))]).toContain(move);
      game.play(at, move);
    }
  }
  expect(uct.outlook!(action).variation.length).toBeGreaterThan(3);
  const puct = openSearch("puct-max-n", game, { simulations: 50 });
  const { actions: tried } = drive(puct.search(state, Random.named("line"), 0), evaluator);
  const priors = Array.from(tried, (each) => puct.outlook!(each).prior!);
  expect(priors.reduce((total, each) => total + each, 0)).toBeCloseTo(1);
});
