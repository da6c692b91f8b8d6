import { describe, expect, it } from "vitest";
import { Random } from "../../src/random.ts";
import { drive } from "../../src/search/drive.ts";
import { findSearch, openSearch, searches, SearchNotOpened } from "../../src/search/registry.ts";
import { HashEvaluator, hashGame } from "./depth-first/hash-game.ts";
import { casesOf } from "../number-of-cases.ts";

const chancy = hashGame({ seed: 1, players: 2, branching: 3, depth: 6, chance: 0.2 });
const { chance: _, ...certain } = hashGame({ seed: 1, players: 2, branching: 3, depth: 6, chance: 0 });

/** A game that knows best moves: all. */
const solved = {
  ...chancy,
  search: { ...chancy.search, bestMoves: chancy.legal.bind(chancy) },
};

/** All schemas of objects within a schema, itself included. */
function objectsIn(schema: object): object[] {
  const within = Object.values(schema)
    .filter((part) => typeof part === "object" && part !== null)
    .flatMap(objectsIn);
  return "type" in schema && schema.type === "object" ? [schema, ...within] : within;
}

describe("every registered search", () => {
  for (const definition of searches) {
    const game = { minimax: certain, perfect: solved }[definition.name] ?? chancy;

    it(`${definition.name} has a strict schema whose fields are described and have valid defaults`, () => {
      const { options } = definition;
      for (const each of objectsIn(options)) expect(each).toHaveProperty("additionalProperties", false);
      expect(options.required ?? []).toEqual([]);
      expect(definition.description).toMatch(/^[A-Z].*\.$/);
      for (const field of Object.values(options.properties) as {
        description?: string;
        default?: unknown;
      }[]) {
        expect(field.description).toBeTypeOf("string");
        expect(field).toHaveProperty("default");
      }
    });

    it(`${definition.name} plays by its defaults: a legal move, the state untouched, no request larger than it declared`, () => {
      const search = openSearch(definition.name, game);
      const random = Random.named(definition.name);
      let requests = 0;
      for (let path = 1; path <= casesOf(29); path++) {
        const state = game.initial();
        state.path = path;
        const before = structuredClone(state);
        const evaluator = new HashEvaluator(game);
        const searching = search.search(state, random, 0);
        let step = searching.next();
        while (step.done !== true) {
          expect(step.value.count).toBeGreaterThan(0);
          expect(step.value.count).toBeLessThanOrEqual(search.maxRequest);
          expect(step.value.priors !== undefined).toBe(definition.needs.policy);
          evaluator.evaluate(step.value);
          step = searching.next();
        }
        const { action, actions, visits, actionValues, values } = step.value;
        const legal = new Int32Array(game.maxLegal);
        expect(actions.slice()).toEqual(legal.slice(0, game.legal(state, legal)));
        expect(actions).toContain(action);
        expect([visits.length, actionValues.length, values.length]).toEqual([
          actions.length,
          actions.length,
          2,
        ]);
        expect(state).toEqual(before);
        requests += evaluator.requests;
      }
      // It needs a net if and only if it requests evaluations.
      expect(requests > 0).toBe(definition.needs.value || definition.needs.policy);
      if (requests === 0) expect(search.maxRequest).toBe(0);
    });

    it(`${definition.name} decides the same from the same draws`, () => {
      const decide = () => {
        const search = openSearch(definition.name, game);
        return structuredClone(
          drive(search.search(game.initial(), Random.named("again"), 0), new HashEvaluator(game)),
        );
      };
      expect(decide()).toEqual(decide());
    });
  }

  it("random plays every legal move equally often", () => {
    const search = openSearch("random", hashGame({ seed: 5, players: 1, branching: 4, depth: 3, chance: 0 }));
    const state = { path: 3, depth: 0, returns: new Float64Array(1) };
    const random = Random.named("uniform");
    const counts = new Map<number, number>();
    const evaluator = new HashEvaluator(chancy);
    let legal = 0;
    for (let i = 0; i < 8000; i++) {
      const { action, actions } = drive(search.search(state, random, 0), evaluator);
      legal = actions.length;
      counts.set(action, (counts.get(action) ?? 0) + 1);
    }
    expect(legal).toBeGreaterThan(1);
    for (const count of counts.values()) expect(Math.abs(count - 8000 / legal)).toBeLessThan(200);
    expect(counts.size).toBe(legal);
  });
});

describe("opening a search", () => {
  it("names the known ones when there is no such search", () => {
    expect(() => findSearch("mcts")).toThrow(SearchNotOpened);
    expect(() => openSearch("mcts", chancy)).toThrow(
      /unknown search "mcts"; known searches: random, greedy,/,
    );
  });

  it("says what is wrong with options", () => {
    expect(() => openSearch("mc-softmax", chancy, { tres: 3 })).toThrow(
      /mc-softmax: unknown option "tres"; did you mean "trees"\? \(known options: trees, simulations,/,
    );
    expect(() => openSearch("mc-softmax", chancy, { trees: 0 })).toThrow(
      /trees: expected a whole number from 1 .*, found .* \(Number of trees/,
    );
    expect(() => openSearch("mc-softmax", chancy, { backup: "bestt" })).toThrow(
      /backup: expected .*, found "bestt".* \(Backup temp/,
    );
    expect(() => openSearch("expectimax", chancy, { plies: 6 })).toThrow(
      /plies: expected a whole number from 1 to 5, found 6/,
    );
    expect(() => openSearch("greedy", chancy, { plies: 1 })).toThrow(/known options: downgrade\)/);
    expect(() => openSearch("random", chancy, { plies: 1 })).toThrow(/known options: none/);
  });

  it("leaves the options it was given as they were", () => {
    const options = Object.freeze({ simulations: 5 });
    openSearch("mc-softmax", chancy, options);
    expect(options).toEqual({ simulations: 5 });
  });
});
