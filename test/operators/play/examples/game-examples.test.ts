import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Game2048 } from "../../../../src/games/2048/2048.ts";
import { createGame } from "../../../../src/games/registry.ts";
import { CHANCE, type Game } from "../../../../src/games/game.ts";
import { playedFor } from "../../../../src/games/outcome.ts";
import { ticTacToe } from "../../../../src/games/tic-tac-toe/tic-tac-toe.ts";
import {
  type DecidedGame,
  encodeGameExamples,
  GameExampleReader,
  gameExamplesIn,
  valuesOfGame,
} from "../../../../src/operators/play/examples/game-examples.ts";
import type { Schedule } from "../../../../src/schedule.ts";
import { randomGame } from "../../learning/replay/random-game.ts";

const small = new Game2048({ rows: 2, columns: 2 });
const blokusDuo = createGame("blokus-duo", { scoring: "advanced" });

/** A state and what was earned there, by playing the first plies. */
function after<S>(game: Game<S>, actions: readonly number[]) {
  const state = game.initial();
  for (const action of actions) game.play(state, action);
  const returns = new Float64Array(game.players);
  game.returns(state, returns);
  return { state, returns };
}

/** The entries of a policy, by action. */
const sharesOf = ({ actions, policy }: DecidedGame["decisions"][number]) =>
  [...actions].flatMap((action, i) => (policy[i] === 0 ? [] : [[action, Math.fround(policy[i]!)] as const]));

const read = ({ count, actions, weights }: GameExampleReader<unknown>["policy"]) =>
  Array.from({ length: count }, (_, i) => [actions[i], weights[i]] as const);

/** Compares every example with what the definition makes of the episode. */
function expectExamples<S>(
  game: Game<S>,
  { actions, decisions }: ReturnType<typeof randomGame>,
  resultWeight: Schedule,
  quick: "values" | "drop",
  surprise?: number,
): void {
  const options = { resultWeight, quick, ...(surprise === undefined ? {} : { surprise }) };
  const bytes = encodeGameExamples(game, { actions, decisions }, options);
  const kept = decisions.filter(({ learn }) => learn || quick === "values");
  expect(gameExamplesIn(bytes)).toBe(kept.length);
  const reader = new GameExampleReader(game, { reply: true, end: true });
  const end = after(game, actions);
  for (const [number, decision] of [...kept.entries()].toReversed()) {
    reader.read(bytes, number);
    const here = after(game, actions.slice(0, decision.ply));
    expect(reader.state).toEqual(here.state);
    expect(reader.end).toEqual(end.state);
    const weight =
      typeof resultWeight === "number"
        ? resultWeight
        : resultWeight.find(({ until = Infinity }) => decision.ply < until)!.value;
    const values = decision.values.map(
      (value, seat) => weight * (end.returns[seat]! - here.returns[seat]!) + (1 - weight) * value,
    );
    expect([...reader.values]).toEqual(values.map(Math.fround));
    expect(reader.policyWeight).toBe(decision.learn ? 1 : 0);
    const learned = kept.filter(({ learn }) => learn).map((each) => each.change!.surprise);
    const mean = learned.reduce((sum, each) => sum + each, 0) / learned.length;
    const share = surprise ?? 0;
    expect(reader.weight).toBeCloseTo(
      decision.learn ? 1 - share + share * (decision.change!.surprise / mean) : 1,
      5,
    );
    expect(read(reader.policy)).toEqual(decision.learn ? sharesOf(decision) : []);
    const reply = decisions[decisions.indexOf(decision) + 1];
    expect(read(reader.reply)).toEqual(reply?.learn === true ? sharesOf(reply) : []);
  }
}

describe("examples of whole games", () => {
  it("are the positions decided in, with result, search value and policy, and the reply and the end", () => {
    const options = [
      fc.nat({ max: 1000 }),
      fc.constantFrom<Schedule>(0, 0.25, 1, [{ until: 2, value: 1 }, { until: 5, value: 0.5 }, { value: 0 }]),
      fc.constantFrom("values", "drop"),
      fc.constantFrom(undefined, 0.5, 1),
    ] as const;
    fc.assert(
      fc.property(...options, (seed, resultWeight, quick, surprise) => {
        expectExamples(ticTacToe, randomGame(ticTacToe, seed), resultWeight, quick, surprise);
        const result = playedFor(ticTacToe, "win-loss");
        expectExamples(result, randomGame(result, seed), resultWeight, quick);
      }),
      { numRuns: 60 },
    );
  });

  it("are so where chance moves between decisions", () => {
    for (const seed of [1, 2, 3]) {
      const played = randomGame(small, seed);
      expect(after(small, played.actions.slice(0, 1)).state.toMove).toBe(CHANCE);
      for (const quick of ["values", "drop"] as const) expectExamples(small, played, 0.5, quick);
    }
  });

  it("are so in Blokus Duo, where actions are numbered by the thousands", () => {
    expectExamples(playedFor(blokusDuo, "win-loss"), randomGame(blokusDuo, 5), 1, "values");
  });

  it("keep a policy that is no count of visits in parts of 65535", () => {
    const policy = Float64Array.of(0.5, 0.3, 0.2 - 1e-6, 1e-6, 0, 0, 0, 0, 0);
    const decision = {
      ply: 0,
      values: [0, 0],
      actions: Int32Array.from({ length: 9 }, (_, cell) => cell),
      visits: Float64Array.of(1, 1, 0, 0, 0, 0, 0, 0, 0),
      policy,
      learn: true,
    };
    const bytes = encodeGameExamples(
      ticTacToe,
      { actions: [4, 0], decisions: [decision] },
      { resultWeight: 1, quick: "values" },
    );
    const reader = new GameExampleReader(ticTacToe, { reply: false, end: false });
    reader.read(bytes, 0);
    const entries = read(reader.policy);
    // What is less than half a part is not kept.
    expect(entries.map(([action]) => action)).toEqual([0, 1, 2]);
    for (const [action, weight] of entries)
      expect(Math.abs(weight! - policy[action!]!)).toBeLessThan(1 / 65535);
    expect(entries.reduce((sum, [, weight]) => sum + weight!, 0)).toBeCloseTo(1, 6);
  });

  it("have the values of the solver from a ply on, in place of results and search values", () => {
    const game = createGame("connect-four", { columns: 5, rows: 4 });
    for (const values of ["returns", "win-loss"] as const)
      for (const fromPly of [0, 5, 100]) {
        const asked: unknown[] = [];
        const played = playedFor(game, values);
        const episode = randomGame(played, 3);
        /** Invented values, as a function of the position. */
        const solve = (state: unknown, out: Float64Array) => {
          asked.push(game.notation.position(state));
          out.set([0.25 * asked.length, -asked.length]);
        };
        const options = { resultWeight: 0.5, quick: "values", values: { solver: { fromPly } } } as const;
        const bytes = encodeGameExamples(played, episode, options, solve);
        const plain = encodeGameExamples(played, episode, { resultWeight: 0.5, quick: "values" });
        const found = valuesOfGame(bytes, 2).examples;
        const later = episode.decisions.filter(({ ply }) => ply >= fromPly);
        expect(asked).toEqual(
          later.map(({ ply }) => game.notation.position(after(game, episode.actions.slice(0, ply)).state)),
        );
        expect(found).toEqual(
          valuesOfGame(plain, 2).examples.map((example) => {
            const place = later.findIndex(({ ply }) => ply === example.ply);
            return place < 0 ? example : { ply: example.ply, values: [0.25 * (place + 1), -1 - place] };
          }),
        );
        if (fromPly === 100) expect(bytes).toEqual(plain);
      }
  });

  it("weigh the same where their surprise is not known, and where there is none", () => {
    const { actions, decisions } = randomGame(ticTacToe, 11);
    const unweighted = encodeGameExamples(
      ticTacToe,
      { actions, decisions },
      { resultWeight: 1, quick: "values" },
    );
    const weighted = (surpriseOf: (number: number) => number | undefined) => {
      const changed = decisions.map(({ change: _change, ...rest }, number) => {
        const surprise = surpriseOf(number);
        return surprise === undefined ? rest : { ...rest, change: { surprise } };
      });
      const options = { resultWeight: 1, quick: "values", surprise: 0.5 } as const;
      return encodeGameExamples(ticTacToe, { actions, decisions: changed }, options);
    };
    expect(weighted(() => undefined)).toEqual(unweighted);
    expect(weighted(() => 0)).toEqual(unweighted);
    const learned = decisions.findIndex(({ learn }) => learn);
    expect(weighted((number) => (number === learned ? undefined : 1))).toEqual(unweighted);
    expect(weighted((number) => 1 + number)).not.toEqual(unweighted);
  });

  it("begin where the opening ends", () => {
    const { actions, decisions } = randomGame(ticTacToe, 11);
    const later = decisions.slice(3).map((decision) => ({ ...decision, learn: true }));
    expectExamples(ticTacToe, { actions, decisions: later }, 1, "values");
  });

  it("refuse actions that are not legal", () => {
    const { actions, decisions } = randomGame(ticTacToe, 12);
    const wrong = {
      ...decisions[1]!,
      learn: true,
      actions: decisions[0]!.actions.slice(0, decisions[1]!.actions.length),
    };
    wrong.visits.fill(1);
    wrong.policy.fill(1 / wrong.policy.length);
    wrong.actions[0] = actions[0]!;
    expect(() =>
      encodeGameExamples(ticTacToe, { actions, decisions: [wrong] }, { resultWeight: 1, quick: "values" }),
    ).toThrow(/not legal/);
  });
});
