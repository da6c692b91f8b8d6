import { describe, expect, it } from "vitest";
import type { Game } from "../../../../src/games/game.ts";
import { playedFor } from "../../../../src/games/outcome.ts";
import { createGame } from "../../../../src/games/registry.ts";
import { collectionOf } from "../../../../src/operators/learning/collection/collection-of.ts";
import { encodeGameExamples } from "../../../../src/operators/play/examples/game-examples.ts";
import { errorsOf } from "../../../../src/operators/learning/value/error-tally.ts";
import {
  positionsOfCollection,
  positionsOfExamples,
} from "../../../../src/operators/learning/value/tested-positions.ts";
import { VALUE_EXAMPLES } from "../../../../src/operators/learning/value/value-games.ts";
import { Random } from "../../../../src/random.ts";
import { meanEstimate } from "../../../../src/stats/intervals.ts";
import { randomGame } from "../replay/random-game.ts";

const game = createGame("tic-tac-toe", {}) as Game<unknown>;

/** The returns of a finished game. */
function returnsOf(actions: readonly number[]): number[] {
  const state = game.initial();
  for (const action of actions) game.play(state, action);
  const returns = new Float64Array(2);
  game.returns(state, returns);
  return [...returns];
}

const played = Array.from({ length: 12 }, (_, seed) => {
  const { actions } = randomGame(game, seed);
  return { actions, returns: returnsOf(actions) };
});
const winOrLoss = (returns: readonly number[], seat: number) => (returns[seat]! >= 0.5 ? 1 : -1);

describe("positions whose results are known", () => {
  it("are those of the examples of games, for the seat to move", () => {
    const items = played.map(({ actions }, index) => ({
      index,
      samples: encodeGameExamples(
        playedFor(game, "win-loss"),
        {
          actions,
          decisions: [2, 4].map((ply) => ({
            ply,
            values: [],
            actions: new Int32Array(0),
            visits: new Float64Array(0),
            policy: new Float64Array(0),
            learn: false,
          })),
        },
        VALUE_EXAMPLES,
      ),
    }));
    const positions = positionsOfExamples(game, items);
    expect(positions).toHaveLength(24);
    for (const [i, { actions, game: number, result, seat }] of positions.entries()) {
      const ply = [2, 4][i % 2]!;
      expect([...actions]).toEqual(played[number]!.actions.slice(0, ply));
      expect(seat).toBe(ply % 2);
      expect(result).toBe(winOrLoss(played[number]!.returns, seat));
    }
  });

  it("are drawn from one part of a collection, without games of unknown results", () => {
    const games = played.map(({ actions, returns }, i) => ({
      moves: actions,
      returns: i === 3 ? [NaN, NaN] : returns,
      part: i < 9 ? 2 : 0,
      group: 0,
    }));
    const collection = collectionOf("file", 2, ["all"], games);
    const settings = { part: "test", values: "win-loss", test: 4, positions: 2 } as const;
    const drawn = new Set<number>();
    for (let seed = 0; seed < 60; seed++) {
      const { leftOut, positions } = positionsOfCollection(game, collection, settings, Random.named(seed));
      expect(leftOut).toBe(1);
      expect(positions).toHaveLength(8);
      expect(new Set(positions.map((position) => position.game)).size).toBe(4);
      for (const { actions, game: number, result, seat } of positions) {
        drawn.add(number);
        expect([...actions]).toEqual(played[number]!.actions.slice(0, actions.length));
        expect(actions.length).toBeLessThan(played[number]!.actions.length);
        expect(seat).toBe(actions.length % 2);
        expect(result).toBe(winOrLoss(played[number]!.returns, seat));
      }
    }
    expect([...drawn].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 4, 5, 6, 7, 8]);
  });

  it("of games that begin elsewhere are told by that start and the moves from there", () => {
    const [{ actions, returns }] = played as [(typeof played)[number]];
    const state = game.initial();
    game.play(state, actions[0]!);
    const start = game.notation.position(state);
    const moves = actions.slice(1);
    const collection = collectionOf("file", 2, ["all"], [{ moves, returns, part: 2, group: 0, start }]);
    const settings = { part: "test", values: "win-loss", test: 1, positions: 100 } as const;
    const { leftOut, positions } = positionsOfCollection(game, collection, settings, Random.named(1));
    expect(leftOut).toBe(0);
    expect(positions).toHaveLength(moves.length);
    for (const [i, position] of positions.toSorted((a, b) => a.actions.length - b.actions.length).entries()) {
      expect(position).toMatchObject({ start, seat: (i + 1) % 2 });
      expect([...position.actions]).toEqual(moves.slice(0, i));
      expect(position.result).toBe(winOrLoss(returns, position.seat));
    }
  });
});

describe("the errors of values", () => {
  const position = (number: number, ply: number, result: number) => ({
    game: number,
    actions: new Int32Array(ply),
    seat: 0,
    result,
  });

  it("are mean squares, in all and by ply", () => {
    const positions = [position(0, 1, 1), position(1, 3, -1), position(2, 4, 1), position(3, 9, -1)];
    const values = [0.5, -1, 0, 1];
    const { error, plies } = errorsOf(positions, values, 4);
    const squares = [0.25, 0, 1, 4];
    expect(error).toEqual({ games: 4, ...meanEstimate(squares) });
    expect(plies.map(({ ply, positions: count, error: { value } }) => [ply, count, value])).toEqual([
      [0, 2, 0.125],
      [4, 1, 1],
      [8, 1, 4],
    ]);
  });

  it("have the interval of whole games: a position that is counted twice tells nothing more", () => {
    const once = Array.from({ length: 20 }, (_, i) => position(i, 5, i % 3 === 0 ? 1 : -1));
    const twice = once.flatMap((each) => [each, each]);
    const alone = errorsOf(
      once,
      once.map(() => 0.2),
      10,
    ).error;
    const doubled = errorsOf(
      twice,
      twice.map(() => 0.2),
      10,
    ).error;
    expect(doubled.games).toBe(20);
    expect(doubled.value).toBeCloseTo(alone.value);
    for (const end of [0, 1] as const) expect(doubled.interval[end]).toBeCloseTo(alone.interval[end]);
  });
});
