import { describe, expect, it } from "vitest";
import { CHANCE, type Game, OVER } from "../../../src/games/game.ts";
import { Game2048, type State2048 } from "../../../src/games/2048/2048.ts";
import type { Evaluator } from "../../../src/games/evaluation.ts";
import { AfterstateLearner } from "../../../src/models/n-tuple/afterstate-learner.ts";
import { NTupleNetwork } from "../../../src/models/n-tuple/network.ts";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { openSearch } from "../../../src/search/registry.ts";
import { HashEvaluator, hashGame, type HashState, hashValue } from "./hash-game.ts";
import { ladder, ladderEvaluator } from "./ladder-game.ts";
import { actionValues } from "../solver.ts";
import { allCases, casesOf, someOf } from "../../number-of-cases.ts";

/** A learner of small boards after some games, of which it still has the last one. */
const small = (() => {
  const board = new Game2048({ rows: 2, columns: 3 });
  const network = NTupleNetwork.create(board, { tuples: "board", initialValue: 100 });
  const learner = new AfterstateLearner(network, board, { lambda: 0.5, step: { use: "tc", rate: 1 } });
  for (let i = 0; i < 100; i++) learner.playGame(Random.named("expectimax", i));
  return { board, network, game: [...learner.actions] };
})();

/** Large boards, with a value function after some games. */
const large = (() => {
  const board = new Game2048({ rows: 4, columns: 4 });
  const network = NTupleNetwork.create(board, { tuples: "4x6", initialValue: 0 });
  const learner = new AfterstateLearner(network, board, { lambda: 0.5, step: { use: "tc", rate: 1 } });
  for (let i = 0; i < casesOf(50); i++) learner.playGame(Random.named("downgrade", i));
  return { board, network };
})();

/** E(state, plies) as the doc comment defines it, by plain recursion. */
function expected(game: Game<HashState>, state: HashState, plies: number, shallower = false): number[] {
  const mover = game.toMove(state);
  if (mover === OVER) return Array.from({ length: game.players }, () => 0);
  if (plies === 0) return Array.from({ length: game.players }, (_, seat) => hashValue(state, seat));
  if (mover !== CHANCE)
    return actionValues(game, state, (next) => expected(game, next, plies - 1, shallower)).reduce(
      (best, next) => (next[mover]! > best[mover]! ? next : best),
    );
  const probabilities = new Float64Array(game.maxLegal);
  game.chance!.outcomes(state, new Int32Array(game.maxLegal), probabilities);
  const likeliest = Math.max(...probabilities);
  let outcome = 0;
  const all = actionValues(game, state, (next) => {
    const less = shallower && plies > 1 && probabilities[outcome]! < likeliest / 2;
    outcome++;
    return expected(game, next, less ? plies - 1 : plies, shallower);
  });
  return all[0]!.map((_, seat) => all.reduce((sum, next, i) => sum + probabilities[i]! * next[seat]!, 0));
}

describe("greedy and expectimax", () => {
  for (const [name, plies, options] of [
    ["greedy", 0, {}],
    ["expectimax", 1, { plies: 1 }],
    ["expectimax", 2, { plies: 2 }],
    ["expectimax", 3, { plies: 3 }],
    ["expectimax", 2, { plies: 2, unlikely: "shallower" }],
    ["expectimax", 3, { plies: 3, unlikely: "shallower" }],
  ] as const)
    it(`${name} ${JSON.stringify(options)} equals the plain recursion`, () => {
      const shallower = "unlikely" in options;
      let different = 0;
      for (let seed = 0; seed < casesOf(30); seed++) {
        const game = hashGame({
          seed,
          players: 1 + (seed % 3),
          branching: 2 + (seed % 3),
          depth: 4 + (seed % 3),
          chance: (seed % 4) / 5,
        });
        const search = openSearch(name, game, options);
        const evaluator = new HashEvaluator(game);
        for (const start of [1, 99]) {
          const state = game.initial();
          state.path = start;
          const wanted = actionValues(game, state, (next) => expected(game, next, plies, shallower));
          const full = actionValues(game, state, (next) => expected(game, next, plies));
          if (String(full) !== String(wanted)) different++;
          const mover = game.toMove(state);
          const decision = drive(search.search(state, Random.named("unused"), 0), evaluator);
          for (const [i, actionValue] of wanted.entries())
            expect(decision.actionValues[i]).toBeCloseTo(actionValue[mover]!, 9);
          const best = Math.max(...wanted.map((actionValue) => actionValue[mover]!));
          const index = wanted.findIndex((actionValue) => actionValue[mover]! > best - 1e-9);
          expect(decision.action).toBe(decision.actions[index]);
          for (const [seat, value] of wanted[index]!.entries())
            expect(decision.values[seat]).toBeCloseTo(value, 9);
        }
      }
      if (shallower) expect(different).toBeGreaterThan(allCases ? 2 : 0);
      else expect(different).toBe(0);
    });

  it("plays the ladder as worked out by hand", () => {
    const decide = (name: string, options: Record<string, unknown>) =>
      drive(
        openSearch(name, ladder, options).search(ladder.initial(), Random.named("unused"), 0),
        ladderEvaluator,
      );
    expect([...decide("greedy", {}).actionValues]).toEqual([14, 13]);
    expect([...decide("expectimax", { plies: 1 }).actionValues]).toEqual([4 + 0.75 * 6 + 0.25, 20]);
    expect(decide("expectimax", { plies: 1 }).action).toBe(1);
  });

  it.each([
    { plies: 1, unlikely: "full" },
    { plies: 2, unlikely: "full" },
    { plies: 3, unlikely: "full" },
    { plies: 2, unlikely: "shallower" },
    { plies: 3, unlikely: "shallower" },
  ])(
    "takes $plies chance plies, unlikely ones $unlikely, alike whether it or the value function looks through them",
    ({ plies, unlikely }) => {
      const { board, game, network } = small;
      const [afterstates, decisions] = ["afterstates", "decisions"].map((leaves) =>
        openSearch("expectimax", board, { plies, leaves, unlikely }),
      );
      const alone = openSearch("expectimax", board, { plies, leaves: "decisions", unlikely });
      const requested: number[] = [];
      const withoutChance: Evaluator<State2048> = {
        evaluate({ states, count, values, chancePlies }) {
          if (chancePlies !== undefined) requested.push(chancePlies);
          network.evaluate({ states, count, values });
        },
      };
      const decided: State2048[] = [];
      const at = board.initial();
      for (const action of game) {
        if (at.toMove === 0) decided.push(structuredClone(at));
        board.play(at, action);
      }
      expect(decided.length).toBeGreaterThan(10);
      for (const state of someOf(decided)) {
        const random = Random.named("unused");
        const wanted = [...drive(afterstates!.search(state, random, 0), network).actionValues];
        const found = drive(decisions!.search(state, random, 0), network).actionValues;
        for (const [i, value] of wanted.entries()) expect(found[i]).toBeCloseTo(value, 9);
        // Asked of a value function that does not look through chance itself, the search does.
        const own = drive(alone.search(state, random, 0), withoutChance).actionValues;
        expect([...own]).toEqual([...found]);
      }
      expect(requested).toEqual([plies]);
    },
  );

  it("splits its evaluations into requests of its greatest size", () => {
    const game = hashGame({ seed: 4, players: 1, branching: 20, depth: 4, chance: 0.5 });
    const search = openSearch("expectimax", game, { plies: 1 });
    const evaluator = new HashEvaluator(game);
    let largest = 0;
    for (let path = 0; path < 40; path++) {
      const state = game.initial();
      state.path = path;
      const searching = search.search(state, Random.named("unused"), 0);
      for (let step = searching.next(); step.done !== true; step = searching.next()) {
        largest = Math.max(largest, step.value.count);
        evaluator.evaluate(step.value);
      }
    }
    expect(largest).toBe(search.maxRequest);
  });

  it.each([
    ["greedy", {}],
    ["expectimax", { leaves: "decisions" }],
  ] as const)("%s searches a board downgraded as it searches the other board", (name, options) => {
    const { board, network } = large;
    const rest = [4, 8, 2, 0, 2, 0, 0, 4, 0, 2, 0, 0, 16];
    const great = board.fromBoard([256, 128, 32, ...rest]);
    const less = board.fromBoard([128, 64, 32, ...rest]);
    const decide = (state: State2048, downgrade: number | null) => {
      const search = openSearch(name, board, { ...options, downgrade });
      const { action, values, actionValues } = drive(
        search.search(state, Random.named("unused"), 0),
        network,
      );
      return { action, values: [...values], actionValues: [...actionValues] };
    };
    expect(decide(great, 256)).toEqual(decide(less, null));
    expect(decide(great, 512)).toEqual(decide(great, null));
    expect(decide(great, 256)).not.toEqual(decide(great, null));
  });

  it("refuses to downgrade from what is no tile, and in games without tiles", () => {
    const board = new Game2048({ rows: 4, columns: 4 });
    expect(() => openSearch("greedy", board, { downgrade: 5000 })).toThrow(
      "downgrade is 5000, which is not a tile: name a power of two, such as 16384",
    );
    expect(() => openSearch("expectimax", ladder, { downgrade: 4096 })).toThrow(
      "has no tiles to downgrade: leave downgrade out",
    );
  });
});
