import { describe, expect, it } from "vitest";
import { type BlokusState, classicBoard, duoBoard, GameBlokus } from "../../../src/games/blokus/blokus.ts";
import { MovesAhead } from "../../../src/games/blokus/moves-ahead.ts";
import { type Game, OVER } from "../../../src/games/game.ts";
import { openGame } from "../../../src/games/registry.ts";
import { LinearValue } from "../../../src/models/linear/linear-value.ts";
import { TdLambdaLearner } from "../../../src/models/linear/td-lambda.ts";
import type { LearnerOptions } from "../../../src/models/tables.ts";
import { Random } from "../../../src/random.ts";
import {
  referenceGame,
  type ReferenceLearning,
  someOpening,
} from "../../models/linear/td-lambda-reference.ts";

const game = new GameBlokus("blokus-duo", duoBoard(), { scoring: "advanced" });
const features = game.linear.features!;
const { names } = features;
const legal = new Int32Array(game.maxLegal);

/** Compares the features of every position that a position leads to with those of the position itself; returns how many end the game. */
function expectSame(state: BlokusState, looking = features.ahead!()): number {
  const next = game.initial();
  const count = game.legal(state, legal);
  const rows = [new Float64Array(names.length), new Float64Array(names.length)] as const;
  let ends = 0;
  looking.from(state, legal, count);
  for (const action of legal.subarray(0, count)) {
    game.copy(state, next);
    game.play(next, action);
    const over = game.toMove(next) === OVER;
    if (over) ends++;
    for (const seat of [0, 1]) {
      rows[0].fill(NaN);
      // Comparisons by `expect` would take most of the test's time.
      if (looking.write(action, seat, rows[0]) === over)
        expect.fail(`the game is ${over ? "" : "not "}over after ${game.notation.format(state, action)}`);
      if (over) continue;
      features.write(next, seat, rows[1]);
      for (let i = 0; i < names.length; i++)
        if (!Object.is(rows[0][i], rows[1][i]))
          expect.fail(
            `${names[i]} is ${rows[0][i]} and not ${rows[1][i]} for seat ${seat} after ${game.notation.format(state, action)} in ${game.notation.position(state)}`,
          );
    }
  }
  return ends;
}

describe("the features of Blokus Duo after each move", () => {
  it("are those of the position after the move, to the last bit, in games played at random", () => {
    const looking = features.ahead!();
    let ends = 0;
    for (let number = 0; number < 2; number++) {
      const random = Random.named("ahead", number);
      const state = game.initial();
      while (game.toMove(state) !== OVER) {
        ends += expectSame(state, looking);
        // Half of the games with large pieces first: more moves at the beginning, fewer at the end.
        game.play(
          state,
          number % 2 === 0 ? game.playouts.preferred(state, random) : game.playouts.uniform(state, random),
        );
      }
    }
    expect(ends).toBeGreaterThan(0);
  });

  it("are those where a seat lays its last piece, and where a seat has none left", () => {
    const random = Random.named("ahead of the last piece");
    let last = 0;
    let none = 0;
    for (let attempt = 0; last === 0 || none === 0; attempt++) {
      expect(attempt).toBeLessThan(500);
      const state = game.initial();
      while (game.search.passTo(state, 0)) {
        if ((state.left[0]! & (state.left[0]! - 1)) === 0) {
          expectSame(state);
          last++;
        }
        game.play(state, game.playouts.preferred(state, random));
      }
      if (state.left[0] === 0 && game.search.passTo(state, 1)) {
        expectSame(state);
        none++;
      }
    }
  });

  it("are those of positions in which a seat that was passed over could move", () => {
    const state = game.initial();
    state.out = 2;
    expectSame(state);
    game.play(state, legal[0]!);
    expectSame(state);
  });

  it("are for two seats", () => {
    expect(() => new MovesAhead(classicBoard())).toThrow(RangeError);
  });
});

const source: LearnerOptions = { lambda: 0.8, step: { use: "td", rate: 0.01 }, decay: 100 };

it.each([
  { name: "epsilon-greedy", epsilon: 0.1, plies: 0, games: 2 },
  { name: "openings", epsilon: 0, plies: 4, games: 1 },
])("TD(lambda) learns from features ahead as from those of each position, to the last bit: $name", (way) => {
  const { epsilon, plies, games } = way;
  const duo: Game<any> = openGame("blokus-duo");
  const features = duo.linear!.features!;
  const { names } = features;
  const slowly: Game<any> = Object.assign(openGame("blokus-duo"), {
    linear: { features: { ...features, ahead: undefined } },
  });
  const [fast, slow] = [duo, slowly].map((rules) => {
    const value = new LinearValue(rules, new SharedArrayBuffer(8 * names.length));
    return { value, learner: new TdLambdaLearner(value, rules, source) };
  });
  const reference: ReferenceLearning = { theta: names.map(() => 0), games: 0 };
  for (let i = 0; i < games; i++) {
    const opening = someOpening(duo, plies, Random.named("opening", i));
    const draws = () => Random.named("game", i);
    expect(fast!.learner.playGame(draws(), { opening, epsilon })).toEqual(
      slow!.learner.playGame(draws(), { opening, epsilon }),
    );
    expect(fast!.learner.actions).toEqual(slow!.learner.actions);
    expect(fast!.learner.values).toEqual(slow!.learner.values);
    expect(fast!.value.weights).toEqual(slow!.value.weights);
    if (i === 0) {
      referenceGame(duo, reference, source, draws(), opening, epsilon);
      expect([...fast!.value.weights]).toEqual(reference.theta);
    }
  }
  expect(fast!.value.weights.some((weight) => weight !== 0)).toBe(true);
});
