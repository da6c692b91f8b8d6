import { describe, expect, it } from "vitest";
import type { EvaluationRequest, Evaluator } from "../../../src/games/evaluation.ts";
import { CHANCE, type Game, OVER } from "../../../src/games/game.ts";
import { playedFor } from "../../../src/games/outcome.ts";
import { openGame } from "../../../src/games/registry.ts";
import { type StateTicTacToe, ticTacToe } from "../../../src/games/tic-tac-toe/tic-tac-toe.ts";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { policySearch } from "../../../src/search/policy/policy-search.ts";
import type { PolicyTree } from "../../../src/search/policy/policy-tree.ts";
import { ProvenMoves } from "../../../src/search/policy/proven-moves.ts";
import { PuctSelection } from "../../../src/search/policy/puct-selection.ts";
import { openSearch, searches } from "../../../src/search/registry.ts";
import { SearchTree } from "../../../src/search/tree/search-tree.ts";
import { hashGame } from "../depth-first/hash-game.ts";
import { strips } from "../depth-first/strips-game.ts";
import { actionValues, equilibria, solve } from "../solver.ts";
import { casesOf, someOf } from "../../number-of-cases.ts";

/** Values and priors at random: proofs owe them nothing. */
class Junk implements Evaluator<any> {
  readonly #random: Random;
  readonly #bounds: readonly [number, number];
  states = 0;

  constructor({ returnBounds }: Game<any>, seed: number) {
    this.#random = Random.named("junk", seed);
    this.#bounds = returnBounds;
  }

  evaluate({ count, priors, values }: EvaluationRequest<any>): void {
    const [least, most] = this.#bounds;
    this.states += count;
    for (let i = 0; i < values.length; i++) values[i] = least + this.#random.float() * (most - least);
    if (priors !== undefined) for (let i = 0; i < priors.length; i++) priors[i] = this.#random.float() ** 3;
  }
}

function advance<S>(game: Game<S>, plies: number, random: Random): S {
  const state = game.initial();
  const actions = new Int32Array(game.maxLegal);
  for (let ply = 0; ply < plies && game.toMove(state) !== OVER; ply++) {
    const chance = game.toMove(state) === CHANCE;
    const legal = game.legal(state, actions);
    game.play(state, chance ? game.chance!.sample(state, random) : actions[random.below(legal)]!);
  }
  return state;
}

const after = <S>(game: Game<S>, state: S, action: number): S => {
  const next = game.initial();
  game.copy(state, next);
  game.play(next, action);
  return next;
};

const returnsOf = <S>(game: Game<S>, state: S): Float64Array => {
  const returns = new Float64Array(game.players);
  game.returns(state, returns);
  return returns;
};

const smallFour = openGame("connect-four", { columns: 4, rows: 4 });

/** Exact values from a position on, by the text of its position. */
const known = new Map<string, number[]>();

function solved(game: Game<any>, state: any): number[] {
  const position = `${game.name} ${game.notation.position(state)}`;
  let values = known.get(position);
  if (values === undefined) {
    const mover = game.toMove(state);
    values = [0, 0];
    if (mover !== OVER)
      values = actionValues(game, state, (next) => solved(game, next)).reduce((best, each) =>
        each[mover]! > best[mover]! ? each : best,
      );
    known.set(position, values);
  }
  return values;
}

/** A game and where to search in it: positions whose exact values are soon computed. */
const positions = someOf(Array(48).keys())
  .map((seed): { readonly game: Game<any>; readonly state: any } => {
    const random = Random.named("solver", seed);
    const shape = { players: 2 + (seed % 3), cells: 6 + (seed % 2), lengths: 2 };
    const tree = { seed, branching: 3, depth: 5 };
    const [game, plies] = [
      [ticTacToe, 3 + (seed % 3)],
      [playedFor(smallFour, seed % 2 === 0 ? "win-loss" : "win-share"), 9 + (seed % 4)],
      [playedFor(strips(shape), "win-share"), 1 + (seed % 2)],
      [strips(shape), 2],
      [hashGame({ ...tree, players: 3, chance: 0 }), 0],
      [hashGame({ ...tree, players: 1, chance: 0.2 }), 0],
    ][seed % 6] as [Game<any>, number];
    return { game, state: advance(game, plies, random) };
  })
  .filter(({ game, state }) => game.toMove(state) >= 0);

/** The values that a proven node of this position may have, as returns of the whole game. */
function exactValues(game: Game<any>, state: any): number[][] {
  return game.chance !== undefined && game.players === 1
    ? [[solve(game, state)[0]! + returnsOf(game, state)[0]!]]
    : equilibria(game, state);
}

describe("the proofs of a search with a net", () => {
  it("are exact and complete: every node is proven that its children prove, with its exact value", () => {
    let proven = 0;
    let open = 0;
    for (const [seed, { game, state }] of positions.entries()) {
      const puct = new PuctSelection({ cBase: 19_625, cInit: 2, firstPlay: { value: 0, reduction: null } });
      let policy!: PolicyTree;
      const search = policySearch(game, {
        plan: () => ({ simulations: 40 + 20 * (seed % 5), full: true }),
        rule: {
          begin: (tree) => void (policy = tree),
          selectAtRoot: (tree) => puct.select(tree, 0),
          select: (tree, node) => puct.select(tree, node),
          choose: (_tree, { visits }) => visits.indexOf(Math.max(...visits)),
          policy: () => undefined,
        },
        milliseconds: 0,
        leaves: [null, 1, 4, 9][seed % 4]!,
        reuse: false,
        playouts: null,
        passLast: false,
        resign: null,
        solver: true,
        priorTemperature: 1,
        rootPriorTemperature: null,
      });
      drive(search.search(state, Random.named("proofs", seed), 0), new Junk(game, seed));
      const { proofs } = policy.proven!;
      const { tree } = policy;
      const visit = (node: number, at: any): void => {
        const mover = tree.toMove[node]!;
        const first = tree.firstEdge[node]!;
        const count = mover === OVER ? 0 : tree.edgeCount[node]!;
        const children = Array.from({ length: count }, (_, i) => tree.child[first + i]!);
        const settled = children.filter((child) => child >= 0 && proofs.has(child));
        const [, most] = game.returnBounds;
        const enough =
          mover === OVER ||
          (mover >= 0 &&
            count > 0 &&
            (settled.length === count || settled.some((child) => proofs.exactOf(child, mover) === most)));
        expect(proofs.has(node)).toBe(enough);
        if (enough) {
          proven++;
          expect(exactValues(game, at)).toContainEqual([...proofs.exact(node)]);
          for (let seat = 0; seat < game.players; seat++)
            expect(tree.values[node * game.players + seat]).toBeCloseTo(
              proofs.exactOf(node, seat) - returnsOf(game, at)[seat]!,
              9,
            );
        } else open++;
        for (const [i, child] of children.entries())
          if (child >= 0) visit(child, after(game, at, tree.key[first + i]!));
      };
      visit(0, state);
    }
    expect(proven).toBeGreaterThan(casesOf(300));
    expect(open).toBeGreaterThan(casesOf(300));
  });
});

const variants: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["puct-max-n", { cInit: 2 }],
  [
    "puct-max-n",
    {
      noise: { epsilon: 0.25, alpha: 0.5 },
      temperature: [{ value: 1 }],
      forcedPlayouts: 2,
      firstPlayReduction: 0.2,
    },
  ],
  ["gumbel", { considered: 4 }],
  ["gumbel", { temperature: [] }],
  ["apv-mcts", { lambda: 0, expansion: 1, batch: 1 }],
  ["apv-mcts", { lambda: 0.5, expansion: 2, batch: 4, temperature: [{ value: 1 }] }],
];

const open = (name: string, game: Game<any>, options: Readonly<Record<string, unknown>>) =>
  openSearch(
    name,
    game,
    options,
    searches,
    name === "apv-mcts" ? { priors: true, values: "net" } : undefined,
  );

describe.each(variants)("%s %j with a solver", (name, options) => {
  const simulations = 300;

  it("ends with exact values and a best move when the root is proven, also in a tree that is kept", () => {
    let settled = 0;
    for (const [seed, { game, state: start }] of positions.entries()) {
      const search = open(name, game, { ...options, simulations, solver: true, reuse: seed % 2 === 0 });
      const random = Random.named("settled", seed);
      const state = game.initial();
      game.copy(start, state);
      search.begin!(state);
      for (let ply = 0; game.toMove(state) !== OVER; ply++) {
        const mover = game.toMove(state);
        let action: number;
        if (mover === CHANCE) action = game.chance!.sample(state, random);
        else {
          const decision = drive(search.search(state, random, ply), new Junk(game, seed));
          const { actions, actionValues: found, policy, visits, values } = decision;
          ({ action } = decision);
          expect(visits[actions.indexOf(action)]).toBeGreaterThan(0);
          if (visits.reduce((a, b) => a + b, 0) < simulations) {
            settled++;
            const before = returnsOf(game, state);
            const whole = values.map((value, seat) => (value + before[seat]!).toFixed(6));
            const exact = exactValues(game, state).map((vector) => vector.map((value) => value.toFixed(6)));
            expect(exact).toContainEqual(whole);
            // The target lies on moves that are proven as good, unless the game is lost.
            const best = values[mover]!;
            const [least] = game.returnBounds;
            for (const [i, weight] of (policy ?? visits).entries())
              if (weight > 0 && best + before[mover]! > least) expect(found[i]).toBeCloseTo(best, 9);
          }
        }
        search.observe!(state, action);
        game.play(state, action);
      }
    }
    expect(settled).toBeGreaterThan(casesOf(60));
  });

  it("plays no worse than without, and better on the whole, by values that say nothing", () => {
    let errors = 0;
    let errorsWithout = 0;
    for (let seed = 0; seed < casesOf(240, 120); seed++) {
      const game: Game<any> = seed % 2 === 0 ? ticTacToe : smallFour;
      const state = advance(game, (game === ticTacToe ? 1 : 7) + (seed % 6), Random.named("quality", seed));
      const mover = game.toMove(state);
      if (mover < 0) continue;
      const exact = actionValues(game, state, (next) => solved(game, next)).map((each) => each[mover]!);
      const lost = (solver: boolean) => {
        const search = open(name, game, { ...options, simulations: 60, solver });
        const decision = drive(search.search(state, Random.named("draws", seed), seed), new Junk(game, seed));
        return Math.max(...exact) - exact[decision.actions.indexOf(decision.action)]!;
      };
      errors += lost(true);
      errorsWithout += lost(false);
    }
    expect(errors).toBeLessThan(errorsWithout);
  });

  it("plays a win in one whatever its prior, with one simulation and no further evaluation", () => {
    let won = 0;
    for (let seed = 0; seed < casesOf(60); seed++) {
      const state = advance(ticTacToe, 4 + (seed % 3), Random.named("win", seed));
      const mover = ticTacToe.toMove(state);
      if (mover < 0) continue;
      const actions = new Int32Array(ticTacToe.maxLegal);
      const legal = [...actions.subarray(0, ticTacToe.legal(state, actions))];
      const wins = legal.filter(
        (action) => returnsOf(ticTacToe, after(ticTacToe, state, action))[mover] === 1,
      );
      if (wins.length === 0) continue;
      won++;
      const junk = new Junk(ticTacToe, seed);
      const search = open(name, ticTacToe, { ...options, simulations: 50, solver: true });
      const { action, policy, values, visits } = drive(
        search.search(state, Random.named("draws", seed), 0),
        junk,
      );
      expect(wins).toContain(action);
      expect(values[mover]).toBe(1);
      expect(junk.states).toBe(1);
      for (const [i, weight] of (policy ?? visits).entries()) expect(weight > 0).toBe(legal[i] === action);
    }
    expect(won).toBeGreaterThan(casesOf(15, 3));
  });
});

describe("gumbel with a solver", () => {
  it("leaves the moves that are proven to lose, and gives all further simulations to the others", () => {
    // x at a1 and b1 threatens c1, which a net proposes everywhere: every other move of o is lost after two simulations.
    const state = ticTacToe.initial();
    for (const text of ["a1", "b2", "b1"]) ticTacToe.play(state, ticTacToe.notation.parse(state, text)!);
    const save = ticTacToe.notation.parse(state, "c1")!;
    const net: Evaluator<StateTicTacToe> = {
      evaluate({ count, priors, states, values }) {
        values.fill(0.5, 0, 2 * count);
        const actions = new Int32Array(ticTacToe.maxLegal);
        const legal = ticTacToe.legal(states[0]!, actions);
        for (let i = 0; i < legal; i++) priors![i] = actions[i] === save ? 0.8 : 0.1;
      },
    };
    for (const [considered, tried] of [
      [6, 6],
      [3, 3],
    ])
      for (let seed = 0; seed < 10; seed++) {
        const { action, actions, policy, visits } = drive(
          openSearch("gumbel", ticTacToe, {
            simulations: 30,
            considered: considered!,
            temperature: [{ value: 0.5 }],
            solver: true,
          }).search(state, Random.named("halving", seed), 0),
          net,
        );
        expect(action).toBe(save);
        expect(visits.filter((count) => count > 0).length).toBeGreaterThanOrEqual(tried!);
        for (const [i, each] of actions.entries()) {
          if (each !== save) expect(visits[i]).toBeLessThanOrEqual(2);
          if (visits[i] === 2) expect(policy![i]).toBe(0);
        }
        expect(visits.reduce((a, b) => a + b, 0)).toBe(30);
      }
  });
});

describe("ProvenMoves.keepGood", () => {
  /** A root with a child for each payoff of its mover; undefined: not proven. */
  const rootOf = (payoffs: readonly (number | undefined)[], untried: number) => {
    const tree = new SearchTree(2);
    const proven = new ProvenMoves(tree, [0, 1]);
    const root = tree.addNode(0);
    const count = payoffs.length + untried;
    tree.addEdges(
      root,
      Int32Array.from({ length: count }, (_, i) => i),
      count,
    );
    for (const [i, payoff] of payoffs.entries()) {
      const child = tree.addChild(root, tree.firstEdge[root]! + i, OVER);
      if (payoff === undefined) continue;
      proven.proofs.set(child, Float64Array.of(payoff, 1 - payoff));
      proven.prove(root, child);
    }
    return { proven, actions: Int32Array.from({ length: count }, (_, i) => i) };
  };
  const kept = (
    payoffs: readonly (number | undefined)[],
    untried: number,
    weights = [...payoffs.keys(), ...Array(untried).keys()].map(() => 2),
  ) => {
    const { proven, actions } = rootOf(payoffs, untried);
    const left = Float64Array.from(weights);
    return [proven.keepGood(actions, left), ...left];
  };

  it.each([
    ["nothing is proven", [undefined, undefined], 1, [false, 2, 2, 2]],
    ["a move is lost", [0, undefined], 1, [true, 0, 2, 2]],
    ["a draw is proven: losses alone are worse", [0.5, 0, undefined], 1, [true, 2, 0, 2, 2]],
    ["a better draw is proven", [0.25, 0.5, undefined], 0, [true, 0, 2, 2]],
    ["a win is proven", [undefined, 1, 0], 2, [true, 0, 2, 0, 0, 0]],
    ["all is proven, and drawn at best", [0.5, 0, 0.5], 0, [true, 2, 0, 2]],
    ["all is lost", [0, 0], 0, [false, 2, 2]],
  ] as const)("where %s", (_, payoffs, untried, expected) => {
    expect(kept(payoffs, untried)).toEqual(expected);
  });

  it("leaves the weights where every move with a weight is lost, and shares 1 each where wins have none", () => {
    expect(kept([0, 0], 1, [2, 3, 0])).toEqual([false, 2, 3, 0]);
    expect(kept([1, undefined, 0], 1, [0, 3, 4, 5])).toEqual([true, 1, 0, 0, 0]);
  });
});

it("a solver and passing last are refused together", () => {
  for (const name of ["puct-max-n", "gumbel"])
    expect(() => openSearch(name, openGame("go", { size: 5 }), { solver: true, passLast: true })).toThrow(
      /set solver or passLast to false/,
    );
});
