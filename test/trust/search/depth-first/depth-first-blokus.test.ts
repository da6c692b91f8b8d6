import { describe, expect, it } from "vitest";
import { type BlokusState, classicBoard, duoBoard, GameBlokus } from "../../../../src/games/blokus/blokus.ts";
import { OVER } from "../../../../src/games/game.ts";
import { Random } from "../../../../src/random.ts";
import { drive } from "../../../../src/search/drive.ts";
import { openSearch } from "../../../../src/search/registry.ts";
import {
  bestReplyWorths,
  firstInOrder,
  maxNWorths,
  paranoidWorths,
  type Problem,
} from "../../../search/depth-first/depth-first-reference.ts";

const references = { "max-n": maxNWorths, paranoid: paranoidWorths, "best-reply": bestReplyWorths };
const games = [
  new GameBlokus("blokus", classicBoard(), { scoring: "advanced" }),
  new GameBlokus("blokus-duo", duoBoard(), { scoring: "advanced" }),
];

/** How deep the definitions can look where so many moves are left to all seats. */
function reach(moves: number): number {
  return moves < 6 ? 5 : moves < 12 ? 4 : moves < 24 ? 3 : moves < 60 ? 2 : 0;
}

function decide(game: GameBlokus, name: string, state: BlokusState, options: object) {
  const search = openSearch(name, game, { ...options });
  const { action, values, actionValues } = drive(search.search(state, Random.named(0), 0), {
    evaluate: () => undefined,
  });
  return { action, value: values[game.toMove(state)], actionValues: [...actionValues] };
}

describe("depth-first searches on endgames of Blokus against their definitions", () => {
  for (const game of games)
    it(`${game.name}: the root seat's value, all best moves, and the first of them`, () => {
      let compared = 0;
      const seen = new Set<string>();
      for (let i = 0; i < 2; i++) {
        const random = Random.named("endgame", game.name, i);
        const state = game.initial();
        while (game.toMove(state) !== OVER) {
          const counts = new Int32Array(game.players);
          game.figures.legalCounts(state, counts);
          const depth = reach(counts.reduce((sum, count) => sum + count, 0));
          if (depth > 0)
            for (const [name, reference] of Object.entries(references)) {
              const value = ["placed", "score"][compared % 2]!;
              const payoff = (["own", "margin"] as const)[(compared >> 1) % 2]!;
              const problem: Problem = { value, payoff };
              const actionValues = reference(game, state, depth, problem);
              const best = Math.max(...actionValues);
              const action = firstInOrder(game, state, actionValues);
              const exact = decide(game, name, state, { ...problem, depth, pruning: "inner" });
              expect(exact).toEqual({ action, value: best, actionValues });
              const quick = decide(game, name, state, { ...problem, depth });
              expect(quick).toMatchObject({ action, value: best });
              seen.add(`${name} ${value} ${payoff}`);
              compared++;
            }
          game.play(state, game.playouts.uniform(state, random));
        }
      }
      expect(compared).toBeGreaterThan(30);
      expect(seen.size).toBe(12);
    });
});

describe("the first moves of a game", () => {
  it("all gain five squares, for as long as nobody can be kept from a piece of five", () => {
    const [classic, duo] = games as [GameBlokus, GameBlokus];
    for (const name of Object.keys(references)) {
      const { value, actionValues } = decide(classic, name, classic.initial(), {
        depth: 2,
        pruning: "inner",
      });
      expect(value).toBe(5);
      expect(actionValues.filter((actionValue) => actionValue === 5)).toHaveLength(
        classicFirst(classic).filter((squares) => squares === 5).length,
      );
      expect(decide(classic, name, classic.initial(), { depth: 2 }).action).toBe(
        Math.min(...legal(classic, classic.initial())),
      );
      expect(decide(duo, name, duo.initial(), { depth: 2, payoff: "margin" }).value).toBe(0);
    }
  });
});

function legal(game: GameBlokus, state: BlokusState): number[] {
  const actions = new Int32Array(game.maxLegal);
  return [...actions.subarray(0, game.legal(state, actions))];
}

function classicFirst(game: GameBlokus): number[] {
  return legal(game, game.initial()).map((action) => game.search.preference(action));
}
