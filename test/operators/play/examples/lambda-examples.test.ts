import { describe, expect, it } from "vitest";
import { Game2048 } from "../../../../src/games/2048/2048.ts";
import { CHANCE, type Game } from "../../../../src/games/game.ts";
import { ticTacToe } from "../../../../src/games/tic-tac-toe/tic-tac-toe.ts";
import {
  type DecisionTrace,
  lambdaExamples,
} from "../../../../src/operators/play/examples/lambda-examples.ts";
import type { Example } from "../../../../src/operators/play/examples/position-examples.ts";
import { randomGame } from "../../learning/replay/random-game.ts";

const small = new Game2048({ rows: 2, columns: 2 });

/** Lambda-returns by the definition's own words: G(t), recursively, from the state before and after each decision. */
function reference<S>(game: Game<S>, { actions, decisions }: ReturnType<typeof randomGame>, lambda: number) {
  const returnsAfter = (plies: number) => {
    const state = game.initial();
    for (const action of actions.slice(0, plies)) game.play(state, action);
    const returns = new Float64Array(game.players);
    game.returns(state, returns);
    return { state, returns: [...returns] };
  };
  const earned = (t: number) => returnsAfter(decisions[t]?.ply ?? actions.length).returns;
  const reward = (t: number) => earned(t + 1).map((value, seat) => value - earned(t)[seat]!);
  const onward = (t: number): number[] => {
    if (t === decisions.length) return reward(t - 1).map(() => 0);
    const whole = reward(t).map((value, seat) => value + onward(t + 1)[seat]!);
    return whole.map((value, seat) => (1 - lambda) * decisions[t]!.values[seat]! + lambda * value);
  };
  return decisions.map(({ ply }, t) => {
    const after = returnsAfter(ply + 1).state;
    return game.toMove(after) === CHANCE
      ? { state: after, values: onward(t + 1) }
      : {
          state: returnsAfter(ply).state,
          values: reward(t).map((value, seat) => value + onward(t + 1)[seat]!),
        };
  });
}

describe("lambdaExamples", () => {
  it.each([0, 0.3, 0.5, 1])("gives the lambda-returns of their definition for lambda %d", (lambda) => {
    for (const game of [small, ticTacToe] as Game<unknown>[])
      for (let seed = 0; seed < 12; seed++) {
        const { actions, decisions } = randomGame(game, seed);
        const wanted = reference(game, { actions, decisions }, lambda);
        const found = lambdaExamples(game, actions, decisions, lambda);
        expect(found).toHaveLength(wanted.length);
        for (const [t, example] of found.entries()) {
          expect(example.state).toEqual(wanted[t]!.state);
          for (const [seat, value] of example.values.entries())
            expect(value).toBeCloseTo(wanted[t]!.values[seat]!, 9);
        }
      }
  });

  it("learns afterstates of 2048: TD(0) and Monte Carlo by hand on a recorded game", () => {
    // Two 2s meet, a 2 comes, the 4 is pushed beside it, a 4 comes; then the two 4s meet.
    const state = small.initial();
    const actions: number[] = [];
    const play = (action: number) => {
      actions.push(action);
      small.play(state, action);
    };
    const decisions: DecisionTrace[] = [];
    const decide = (action: number, value: number) => {
      const counts = [action, (action + 1) % 4].toSorted((a, b) => a - b);
      decisions.push({
        ply: actions.length,
        values: [value],
        actions: Int32Array.from(counts),
        visits: Float64Array.of(3, 1),
      });
      play(action);
    };
    play(0);
    play(2);
    decide(3, 50);
    expect(small.board(state)).toEqual([4, 0, 0, 0]);
    play(3);
    decide(3, 30);
    expect([...small.board(state), state.score]).toEqual([8, 0, 0, 0, 12]);
    play(6);
    decide(0, 7);
    expect([...small.board(state), state.score]).toEqual([8, 2, 0, 0, 12]);

    const boards = (examples: readonly Example<typeof state>[]) =>
      examples.map((example) => small.board(example.state));
    const td = lambdaExamples(small, actions, decisions, 0);
    expect(boards(td)).toEqual([
      [4, 0, 0, 0],
      [8, 0, 0, 0],
      [8, 2, 0, 0],
    ]);
    // TD(0): what the next decision was thought to earn; nothing after the last.
    expect(td.map(({ values }) => values)).toEqual([[30], [7], [0]]);
    // Monte Carlo: what was really earned after the afterstate.
    const mc = lambdaExamples(small, actions, decisions, 1);
    expect(mc.map(({ values }) => values)).toEqual([[8], [0], [0]]);
    // Half and half: G1 = (7 + 0) / 2 after the second; (30 + (8 + 3.5)) / 2 after the first.
    const half = lambdaExamples(small, actions, decisions, 0.5);
    expect(half.map(({ values }) => values)).toEqual([[20.75], [3.5], [0]]);
    for (const { policy } of [...td, ...mc, ...half]) expect(policy).toBeUndefined();
  });

  it("learns the positions decided in where no chance follows, with visits as policy", () => {
    const actions = [0, 3, 1, 4, 2];
    const decisions = actions.map((action, ply) => ({
      ply,
      values: [ply / 10, 1 - ply / 10],
      actions: Int32Array.of(action, 8),
      visits: Float64Array.of(3, 1),
    }));
    const examples = lambdaExamples(ticTacToe, actions, decisions, 1);
    expect(examples.map(({ values }) => values)).toEqual(actions.map(() => [1, 0]));
    expect(examples[0]!.state).toEqual(ticTacToe.initial());
    expect([...examples[2]!.state.cells]).toEqual([1, 0, 0, 2, 0, 0, 0, 0, 0]);
    expect(examples[2]!.policy).toEqual({
      actions: Int32Array.of(1, 8),
      weights: Float64Array.of(0.75, 0.25),
    });
    // TD(0): the value the next decision was given; the last position earns what the game gave.
    const td = lambdaExamples(ticTacToe, actions, decisions, 0);
    expect(td.map(({ values }) => values)).toEqual([
      [0.1, 0.9],
      [0.2, 0.8],
      [0.3, 0.7],
      [0.4, 0.6],
      [1, 0],
    ]);
  });

  it("has nothing to say of a game without decisions", () => {
    expect(lambdaExamples(small, [0, 2], [], 0.5)).toEqual([]);
  });
});
