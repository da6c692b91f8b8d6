import { describe, expect, it } from "vitest";
import { CHANCE, type Game, OVER } from "../../../../src/games/game.ts";
import { createGame } from "../../../../src/games/registry.ts";
import { CollectedPositions } from "../../../../src/operators/learning/collection/collected-positions.ts";
import { collectionOf } from "../../../../src/operators/learning/collection/collection-of.ts";
import type { GameCollection } from "../../../../src/operators/run/items.ts";
import { Random } from "../../../../src/random.ts";
import { chiSquareTail } from "../../../../src/stats/chi-square.ts";

/** Random games, some of them begun after a move; every third is for another part. */
function randomGames(game: Game<unknown>, count: number): GameCollection {
  const random = Random.named("collected", game.name);
  const legal = new Int32Array(game.maxLegal);
  const games = Array.from({ length: count }, (_, number) => {
    const state = game.initial();
    const moves: number[] = [];
    let start: string | undefined;
    while (game.toMove(state) !== OVER && moves.length < 12) {
      const move = legal[random.below(game.legal(state, legal))]!;
      game.play(state, move);
      if (number % 2 === 1 && start === undefined) start = game.notation.position(state);
      else moves.push(move);
    }
    const more = start === undefined ? {} : { start };
    return {
      moves,
      returns: Array.from({ length: game.players }, () => NaN),
      part: number % 3,
      group: 0,
      ...more,
    };
  });
  return collectionOf("test", game.players, ["all"], games);
}

/** All positions of a part as text with their moves, each reached from the start. */
function plainly(game: Game<unknown>, { moves, offsets, parts, starts }: GameCollection, part: number) {
  const all: { text: string; action: number; decides: boolean }[] = [];
  const legal = new Int32Array(game.maxLegal);
  for (const [number, own] of parts.entries()) {
    if (own !== part) continue;
    const played = moves.subarray(offsets[number], offsets[number + 1]);
    for (let ply = 0; ply < played.length; ply++) {
      const text = starts.get(number);
      const reading = text === undefined ? { state: game.initial() } : game.notation.parsePosition(text);
      if ("error" in reading) throw new Error(reading.error.message);
      const { state } = reading;
      for (const move of played.subarray(0, ply)) game.play(state, move);
      const decides = game.toMove(state) !== CHANCE && game.legal(state, legal) > 1;
      all.push({ text: game.notation.position(state), action: played[ply]!, decides });
    }
  }
  return all;
}

describe.each([
  ["tic-tac-toe", {}],
  ["2048", { rows: 2, columns: 2 }],
])("collected positions of %s", (rules, options) => {
  const game = createGame(rules, options) as Game<unknown>;
  const collection = randomGames(game, 7);

  it("are those before each move of the games of a part, in whatever order they are looked at", () => {
    const positions = new CollectedPositions(game, collection, "validation");
    const expected = plainly(game, collection, 1);
    expect(positions.count).toBe(expected.length);
    const random = Random.named("order");
    for (let i = 0; i < 100; i++) {
      const position = random.below(expected.length);
      positions.seek(position);
      const { state, action, isDecision } = positions;
      const text = game.notation.position(state);
      expect({ text, action, decides: isDecision }).toEqual(expected[position]);
    }
  });

  it("are drawn uniformly among those with a decision between two moves", () => {
    const positions = new CollectedPositions(game, collection, "training");
    expect(positions.hasDecisions).toBe(true);
    const decisions = plainly(game, collection, 0).filter(({ decides }) => decides);
    const keys = decisions.map(({ text, action }) => `${text} ${action}`);
    const distinct = [...new Set(keys)];
    const random = Random.named("uniform");
    const drawn = new Map(distinct.map((key) => [key, 0]));
    const draws = 2000;
    for (let i = 0; i < draws; i++) {
      positions.draw(random);
      const key = `${game.notation.position(positions.state)} ${positions.action}`;
      drawn.set(key, drawn.get(key)! + 1);
    }
    const statistic = distinct.reduce((sum, key) => {
      const expected = (draws * keys.filter((each) => each === key).length) / keys.length;
      return sum + (drawn.get(key)! - expected) ** 2 / expected;
    }, 0);
    // A wrong failure has a probability of one in 10,000; the seed is fixed.
    expect(chiSquareTail(statistic, distinct.length - 1)).toBeGreaterThan(1e-4);
  });
});

it("a part without decisions says so", () => {
  const game = createGame("tic-tac-toe", {}) as Game<unknown>;
  const none = collectionOf("test", 2, ["all"], [{ moves: [4], returns: [0, 1], part: 2, group: 0 }]);
  expect(new CollectedPositions(game, none, "training").hasDecisions).toBe(false);
  expect(new CollectedPositions(game, none, "test").hasDecisions).toBe(true);
});
