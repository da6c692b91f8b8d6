import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Evaluator } from "../../src/games/evaluation.ts";
import { CHANCE, type Game, OVER } from "../../src/games/game.ts";
import { Random } from "../../src/random.ts";
import { noNets, type SearchDefinition } from "../../src/search/definition.ts";
import { drive } from "../../src/search/drive.ts";
import { openSearch, searches, withoutNet } from "../../src/search/registry.ts";
import { cases } from "./decisions/cases.ts";
import { valueGame, type ValueState } from "./policy/value-game.ts";
import { casesOf } from "../number-of-cases.ts";

/** What the numbers of a run are drawn from: often few kinds, so that all of them at a node are equal. */
const numbers = fc.array(fc.constantFrom(NaN, Infinity, -Infinity, 0, 1, -1, 0.5, 1e308, -1e308), {
  minLength: 1,
  maxLength: 4,
});

/** Where numbers come from in a run. */
const sources = fc.record({
  seed: fc.nat(),
  returns: numbers,
  values: numbers,
  priors: numbers,
  preferences: numbers,
});

type Sources = typeof sources extends fc.Arbitrary<infer T> ? T : never;

/** A game whose returns, static evaluations, preferences and move priors are any numbers, by its positions. */
function gameOf({ seed, preferences, returns }: Sources, players: number, chance: number): Game<ValueState> {
  const game = valueGame({ seed, players, branching: 4, depth: 6, top: 1, chance });
  const write = (state: ValueState, out: Float64Array) => {
    game.returns(state, out);
    for (let seat = 0; seat < players; seat++)
      out[seat] = numberAt(returns, state.sum + 7 * state.played + 3 * seat);
  };
  const preference = (action: number) => numberAt(preferences, action);
  const legal = new Int32Array(game.maxLegal);
  return {
    ...game,
    play(state, action) {
      if (!legal.subarray(0, game.legal(state, legal)).includes(action))
        throw new RangeError(`the search played ${action} in its tree`);
      game.play(state, action);
    },
    returns: write,
    search: {
      ...game.search,
      preference,
      movePriors: {
        policy: (_state, actions, count, out) => {
          for (let i = 0; i < count; i++) out[i] = preference(actions[i]!);
        },
      },
      rulePlayer: (state) => legal[game.legal(state, legal) - 1]!,
      bestMoves: game.legal.bind(game),
    },
    depthFirst: { ...game.depthFirst, staticEvaluations: { value: write } },
  };
}

function evaluatorOf(
  { priors: odds, values: found }: Sources,
  game: Game<ValueState>,
): Evaluator<ValueState> {
  return {
    evaluate({ count, priors, states, values }) {
      for (let row = 0; row < count; row++) {
        const { played, sum } = states[row]!;
        for (let seat = 0; seat < game.players; seat++)
          values[row * game.players + seat] = numberAt(found, sum + 5 * played + seat);
        if (priors !== undefined)
          for (let i = 0; i < game.maxLegal; i++)
            priors[row * game.maxLegal + i] = numberAt(odds, sum + 11 * i);
      }
    },
  };
}

function numberAt(among: readonly number[], index: number): number {
  return among[Math.abs(index | 0) % among.length]!;
}

/** The options with which the decisions of a search are recorded, as far as they suit this game; those without groups. */
function optionsFor(definition: SearchDefinition, game: Game<ValueState>): Record<string, unknown>[] {
  const own = [
    {},
    ...cases.filter(({ search }) => search === definition.name).map(({ options }) => options),
  ].map((options) => {
    const few = "simulations" in definition.options.properties ? { simulations: 30 } : {};
    // The plans of quick searches are of few simulations already.
    const table = "table" in definition.options.properties ? { table: 64 } : {};
    return { ...few, ...(definition.name === "gumbel" ? { range: 2 } : {}), ...table, ...options, ...few };
  });
  return own.filter((options) => suits(definition, game, options));
}

function suits(
  definition: SearchDefinition,
  game: Game<ValueState>,
  options: Record<string, unknown>,
): boolean {
  try {
    openSearch(definition.name, game, options, [definition], netsFor(definition));
    return true;
  } catch {
    return false;
  }
}

function netsFor({ needs }: SearchDefinition) {
  return needs.several === undefined ? noNets : { priors: true, values: "net" as const };
}

/** Plays a game by one search in all seats; every move must be legal. Returns the number of decisions. */
function play(
  definition: SearchDefinition,
  given: Sources,
  game: Game<ValueState>,
  options: Record<string, unknown>,
): number {
  const search = openSearch(definition.name, game, options, [definition], netsFor(definition));
  const evaluator = evaluatorOf(given, game);
  const random = Random.named("any numbers", given.seed);
  const legal = new Int32Array(game.maxLegal);
  const state = game.initial();
  search.begin?.(state);
  let decisions = 0;
  while (game.toMove(state) !== OVER) {
    let action: number;
    if (game.toMove(state) === CHANCE) action = game.chance!.sample(state, random);
    else {
      ({ action } = drive(search.search(state, random, decisions++), evaluator));
      expect([...legal.subarray(0, game.legal(state, legal))]).toContain(action);
    }
    search.observe?.(state, action);
    game.play(state, action);
  }
  return decisions;
}

describe("a search whose returns, values, priors and preferences are NaN, infinite or equal", () => {
  const kinds = [...searches, ...withoutNet(searches).filter((each) => !searches.includes(each))];
  it.each(kinds.map((definition) => [`${definition.name}, ${definition.description}`, definition] as const))(
    "plays legal moves to the end of the game: %s",
    (_, definition) => {
      const sound = { seed: 1, returns: [1], values: [1], priors: [1], preferences: [1] };
      const games = [
        [2, 0],
        [3, 0],
        [2, 0.4],
      ] as const;
      const forms = games.flatMap(([players, chance]) =>
        optionsFor(definition, gameOf(sound, players, chance)).map((options) => ({
          players,
          chance,
          options,
        })),
      );
      expect(forms).not.toEqual([]);
      let decisions = 0;
      fc.assert(
        fc.property(sources, fc.constantFrom(...forms), (given, { chance, options, players }) => {
          decisions += play(definition, given, gameOf(given, players, chance), options);
        }),
        { numRuns: casesOf(50), seed: 7 },
      );
      expect(decisions).toBeGreaterThan(casesOf(100));
    },
  );
});
