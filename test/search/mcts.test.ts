import { describe, expect, it } from "vitest";
import { type Game, OVER } from "../../src/games/game.ts";
import { ticTacToe } from "../../src/games/tic-tac-toe.ts";
import { Random } from "../../src/random.ts";
import { drive } from "../../src/search/drive.ts";
import { openSearch } from "../../src/search/registry.ts";
import type { Decision, Search } from "../../src/search/search.ts";
import { hashGame } from "./hash-game.ts";
import {
  type PlainHistory,
  type PlainNode,
  type PlainOptions,
  plainPlayoutSearch,
} from "./playout-reference.ts";
import { strips, type StripsState } from "./strips-game.ts";

const silent = {
  evaluate: () => {
    throw new Error("asked");
  },
};
const trees = ["max-n", "paranoid", "best-reply"] as const;
const defaults = {
  simulations: 150,
  exploration: 0.2,
  progressiveHistory: 5,
  epsilon: 0.05,
  payoff: "win",
  expansion: 1,
} as const;

function decide<S>(search: Search<S>, state: S, random: Random): Decision<S> {
  return structuredClone(drive(search.search(state, random, 0), silent));
}

function agree<S>(game: Game<S>, decision: Decision<S>, root: PlainNode<S>, earned: readonly number[]): void {
  const mover = game.toMove(root.state);
  expect([...decision.actions]).toEqual(root.branches.map(({ action }) => action));
  expect([...decision.visits]).toEqual(root.branches.map(({ node }) => node?.visits ?? 0));
  for (const [i, { node, action }] of root.branches.entries()) {
    const value = node === undefined ? 0 : node.total[mover]! / node.visits - earned[mover]!;
    expect(decision.actionValues[i]).toBeCloseTo(value, 9);
    if (action === decision.action)
      for (const [seat, total] of node!.total.entries())
        expect(decision.values[seat]).toBeCloseTo(total / node!.visits - earned[seat]!, 9);
  }
  expect(decision.visits[decision.actions.indexOf(decision.action)]).toBe(Math.max(...decision.visits));
}

/** Settings away from the defaults, each in its own way. */
const variants: readonly (Partial<PlainOptions> & { readonly name: string })[] = [
  { name: "the source's settings" },
  { name: "greedy playouts, shared payoffs", epsilon: 0, payoff: "share" },
  { name: "uniform playouts", epsilon: 1, exploration: 1 },
  { name: "no history", progressiveHistory: 0 },
  { name: "the returns as payoffs", progressiveHistory: 0, payoff: "score", exploration: 4 },
  { name: "a later expansion", expansion: 5, simulations: 400 },
];

describe.each(trees)("mcts-%s", (tree) => {
  for (const { name, ...variant } of variants)
    it(`equals the plain search from the same draws: ${name}`, () => {
      const options = { ...defaults, ...variant };
      for (let seed = 0; seed < 12; seed++) {
        const shape = { players: 2 + (seed % 3), cells: 8 + (seed % 5), lengths: 2 + (seed % 2) };
        const game = seed % 4 === 0 ? drawing(strips(shape)) : strips(shape);
        const random = Random.named(tree, name, seed);
        const state = advance(game, game.initial(), seed % 4, random);
        if (game.toMove(state) === OVER) continue;
        const theirs = Random.resume(random.state());
        const search = openSearch(`mcts-${tree}`, game, options);
        const decision = decide(search, state, random);
        agree(
          game,
          decision,
          plainPlayoutSearch(game, state, theirs, { ...options, tree }),
          [0, 0, 0, 0].map((_, seat) =>
            options.payoff === "score" ? (game.players > seat ? returnsOf(game, state)[seat]! : 0) : 0,
          ),
        );
        expect(random.state()).toEqual(theirs.state());
      }
    });
});

/** Strips with an ability to draw moves, from the same draws as from the list. */
function drawing(game: Game<StripsState>): Game<StripsState> {
  const legal = new Int32Array(game.maxLegal);
  const draw = (from: readonly number[], random: Random) => from[random.below(from.length)]!;
  return {
    ...game,
    playouts: {
      uniform: (state, random) => draw([...legal.slice(0, game.legal(state, legal))], random),
      preferred(state, random) {
        const all = [...legal.slice(0, game.legal(state, legal))];
        const longest = Math.max(...all.map(game.preference!));
        return draw(
          all.filter((action) => game.preference!(action) === longest),
          random,
        );
      },
    },
  };
}

function advance<S>(game: Game<S>, state: S, plies: number, random: Random): S {
  const actions = new Int32Array(game.maxLegal);
  for (let ply = 0; ply < plies && game.toMove(state) >= 0; ply++)
    game.play(state, actions[random.below(game.legal(state, actions))]!);
  return state;
}

function returnsOf<S>(game: Game<S>, state: S): number[] {
  const out = new Float64Array(game.players);
  game.returns(state, out);
  return [...out];
}
