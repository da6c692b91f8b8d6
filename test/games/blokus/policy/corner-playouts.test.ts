import { describe, expect, it } from "vitest";
import type { BlokusState, GameBlokus } from "../../../../src/games/blokus/blokus.ts";
import { MOST_BY_SQUARES } from "../../../../src/games/blokus/policy/corner-playouts.ts";
import { openGame } from "../../../../src/games/registry.ts";
import { Random } from "../../../../src/random.ts";
import { casesOf } from "../../../number-of-cases.ts";

/** The probabilities of the legal moves in playouts by these weights, from the features of all of them. */
function probabilities(game: GameBlokus, state: BlokusState, weights: Float64Array) {
  const { names, perMove } = game.linear.moveFeatures;
  const actions = new Int32Array(game.maxLegal);
  const count = game.legal(state, actions);
  const rows = new Int32Array(count * perMove);
  game.linear.moveFeatures.write(state, actions, count, rows);
  const odds = Array.from({ length: count }, (_, i) => {
    const own = Array.from(rows.subarray(i * perMove, (i + 1) * perMove), (feature) => names[feature]!);
    const weigh = (some: readonly string[]) =>
      some.reduce((sum, name) => sum + weights[names.indexOf(name)]!, 0);
    const squares = own.filter((name) => name.startsWith("square"));
    const classes = /(two steps|one step|narrow corner|wide corner)/g;
    const far = squares.map((name) => name.replaceAll(classes, "far"));
    const farther = far.map((name) => name.replace(" on own corner", ""));
    return (
      Math.exp(weigh(own.filter((name) => /^piece |^no square/.test(name))) + weigh(farther)) *
      Math.min(MOST_BY_SQUARES, Math.exp(weigh(squares) - weigh(far)))
    );
  });
  const total = odds.reduce((sum, each) => sum + each, 0);
  return new Map(odds.map((each, i) => [actions[i]!, each / total]));
}

/** The first move of a playout. */
function firstMove(game: GameBlokus, weights: Float64Array) {
  const finish = game.linear.playoutsBy(weights);
  const copy = game.initial();
  return (state: BlokusState, random: Random): number => {
    game.copy(state, copy);
    let first = -1;
    finish(copy, random, {
      add: (_seat, action) => {
        if (first < 0) first = action;
      },
    });
    return first;
  };
}

/** The .9999 quantile of chi-square, by Wilson and Hilferty's cube (1931). */
function quantile(degrees: number): number {
  const spread = 2 / (9 * degrees);
  return degrees * (1 - spread + 3.719 * Math.sqrt(spread)) ** 3;
}

describe.each([
  ["blokus", { size: 5, largestPiece: 3 }],
  ["blokus", { size: 8, largestPiece: 4 }],
  ["blokus-duo", {}],
  ["blokus", {}],
])("playouts of %s %o by a linear policy", (name, options) => {
  const game = openGame(name, options) as GameBlokus;
  const { count } = game.linear.moveFeatures;

  it.each([
    ["of nothing", 0],
    ["mild", 0.3],
    ["sharp", 1.5],
  ])("draw moves by their odds, with %s weights (chi-square)", (_, scale) => {
    const random = Random.named("playouts by policy", game.name, game.board.size, scale);
    const weights = Float64Array.from({ length: count }, () => scale * random.normal());
    const draw = firstMove(game, weights);
    const small = game.board.size < 10;
    for (let position = 0; position < casesOf(15, 3); position++) {
      const state = game.initial();
      const plies = random.below(small ? 10 : 40);
      for (let ply = 0; ply < plies && game.toMove(state) >= 0; ply++)
        game.play(state, game.playouts.preferred(state, random));
      if (game.toMove(state) < 0) continue;
      const expected = probabilities(game, state, weights);
      const drawn = new Map<number, number>();
      const draws = small ? 3000 : 1500;
      for (let i = 0; i < draws; i++) {
        const action = draw(state, random);
        drawn.set(action, (drawn.get(action) ?? 0) + 1);
      }
      expect([...drawn.keys()].filter((action) => !expected.has(action))).toEqual([]);
      // Moves of which fewer than eight are expected count together.
      let statistic = 0;
      let cells = 0;
      let rareExpected = 0;
      let rareDrawn = 0;
      for (const [action, p] of expected) {
        const times = drawn.get(action) ?? 0;
        if (p * draws < 8) {
          rareExpected += p * draws;
          rareDrawn += times;
        } else {
          statistic += (times - p * draws) ** 2 / (p * draws);
          cells++;
        }
      }
      if (rareExpected > 8) {
        statistic += (rareDrawn - rareExpected) ** 2 / rareExpected;
        cells++;
      }
      if (cells > 1) expect(statistic).toBeLessThan(quantile(cells - 1));
    }
  });

  it("play legal moves to the end, by what the weights are then", () => {
    const weights = new Float64Array(count);
    const finish = game.linear.playoutsBy(weights);
    const random = Random.named("to the end", game.name, game.board.size);
    for (let n = 0; n < casesOf(10, 3); n++) {
      for (let i = 0; i < count; i++) weights[i] = n * random.normal();
      const state = game.initial();
      const check = game.initial();
      const again = game.initial();
      const draws = random.state();
      const actions = new Int32Array(game.maxLegal);
      const played: number[] = [];
      finish(state, random, {
        add(seat, action) {
          expect(seat).toBe(game.toMove(check));
          expect(actions.subarray(0, game.legal(check, actions))).toContain(action);
          game.play(check, action);
          played.push(action);
        },
      });
      expect(game.toMove(check)).toBeLessThan(0);
      expect(state).toEqual(check);
      const fresh = game.linear.playoutsBy(weights.slice());
      const repeated: number[] = [];
      fresh(again, Random.resume(draws), { add: (_seat, action) => void repeated.push(action) });
      expect(repeated).toEqual(played);
    }
  });
});
