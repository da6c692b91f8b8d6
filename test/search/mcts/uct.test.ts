import { describe, expect, it } from "vitest";
import { CHANCE, type Game, OVER } from "../../../src/games/game.ts";
import type { Evaluator } from "../../../src/games/evaluation.ts";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { openSearch } from "../../../src/search/registry.ts";
import type { Decision } from "../../../src/search/search.ts";
import { hashGame, type HashState } from "../depth-first/hash-game.ts";
import { meanOf, type Node, plainTreeSearch } from "./mcts-reference.ts";
import { actionValues, solve } from "../solver.ts";
import { casesOf } from "../../number-of-cases.ts";

const games = Array.from({ length: casesOf(20) }, (_, seed) =>
  hashGame({
    seed,
    players: 1 + (seed % 4),
    branching: 2 + (seed % 5),
    depth: 3 + (seed % 6),
    chance: (seed % 3) / 4,
  }),
);
const silent: Evaluator<HashState> = {
  evaluate: () => {
    throw new Error("requested");
  },
};

function agree(decision: Decision<HashState>, root: Node<HashState>): void {
  expect([...decision.visits]).toEqual(root.children.map(({ visits }) => visits));
  for (const [i, child] of root.children.entries())
    expect(decision.actionValues[i]).toBeCloseTo(meanOf(child, root.mover), 9);
}

describe("uct", () => {
  it("equals the plain search from the same draws", () => {
    for (const [seed, game] of games.entries()) {
      const exploration = 8;
      const search = openSearch("uct", game, { simulations: 200, exploration });
      const mine = Random.named("uct", seed);
      const theirs = Random.resume(mine.state());
      const decision = drive(search.search(game.initial(), mine, 0), silent);
      const root = plainTreeSearch(game, game.initial(), theirs, {
        simulations: 200,
        evaluate: (leaf) => playout(game, leaf.state, theirs),
        select: (node) => {
          const unvisited = node.children.filter(({ visits }) => visits === 0);
          if (unvisited.length > 0) return unvisited[theirs.below(unvisited.length)]!;
          const scores = node.children.map(
            (child) =>
              meanOf(child, node.mover) + exploration * Math.sqrt(Math.log(node.visits) / child.visits),
          );
          return node.children[scores.indexOf(Math.max(...scores))]!;
        },
      });
      agree(decision, root);
      expect(mine.state()).toEqual(theirs.state());
    }
  });

  it("finds the best first move of games small enough to solve", () => {
    let clear = 0;
    for (let seed = 0; seed < casesOf(60); seed++) {
      const game = hashGame({ seed, players: 1, branching: 3, depth: 5, chance: 0.3 });
      const start = game.initial();
      const mover = game.toMove(start);
      const wanted = actionValues(game, start).map((actionValue) => actionValue[mover]!);
      const sorted = wanted.toSorted((a, b) => b - a);
      if (wanted.length < 2 || sorted[0]! - sorted[1]! < 3) continue;
      clear++;
      const search = openSearch("uct", game, { simulations: 20_000, exploration: 25 });
      const decision = drive(search.search(start, Random.named("solve", seed), 0), silent);
      expect(decision.action).toBe(wanted.indexOf(sorted[0]!));
    }
    expect(clear).toBeGreaterThan(casesOf(10, 1));
  });

  it("knows nothing of max-n's exact values but comes close to them", () => {
    const game = hashGame({ seed: 8, players: 2, branching: 3, depth: 5, chance: 0.2 });
    const search = openSearch("uct", game, { simulations: 20_000, exploration: 25 });
    const decision = drive(search.search(game.initial(), Random.named("close"), 0), silent);
    const exact = solve(game, game.initial());
    for (const [seat, value] of exact.entries())
      expect(Math.abs(decision.values[seat]! - value)).toBeLessThan(1.5);
  });
});

function playout(game: Game<HashState>, from: HashState, random: Random): number[] {
  const state = game.initial();
  game.copy(from, state);
  const actions = new Int32Array(game.maxLegal);
  while (game.toMove(state) !== OVER)
    game.play(
      state,
      game.toMove(state) === CHANCE
        ? game.chance!.sample(state, random)
        : actions[random.below(game.legal(state, actions))]!,
    );
  return Array.from(state.returns, (sum, seat) => sum - from.returns[seat]!);
}
