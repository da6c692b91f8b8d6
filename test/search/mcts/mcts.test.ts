import { describe, expect, it, vi } from "vitest";
import { type Game, OVER } from "../../../src/games/game.ts";
import { ticTacToe } from "../../../src/games/tic-tac-toe/tic-tac-toe.ts";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { episode } from "../../../src/search/episode.ts";
import { paidBy } from "../../../src/search/mcts/payoff.ts";
import { openSearch } from "../../../src/search/registry.ts";
import type { Decision, Search } from "../../../src/search/search.ts";
import { hashGame } from "../depth-first/hash-game.ts";
import {
  type PlainHistory,
  type PlainNode,
  type PlainOptions,
  plainPlayoutSearch,
} from "./playout-reference.ts";
import { actionValues, equilibria } from "../solver.ts";
import { strips, type StripsState } from "../depth-first/strips-game.ts";
import { allCases, casesOf } from "../../number-of-cases.ts";

const silent = {
  evaluate: () => {
    throw new Error("requested");
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

function agree<S>(
  game: Game<S>,
  decision: Decision<S>,
  root: PlainNode<S>,
  returns: readonly number[],
): void {
  const mover = game.toMove(root.state);
  expect([...decision.actions]).toEqual(root.branches.map(({ action }) => action));
  expect([...decision.visits]).toEqual(root.branches.map(({ node }) => node?.visits ?? 0));
  for (const [i, { node, action }] of root.branches.entries()) {
    const value = node === undefined ? 0 : node.total[mover]! / node.visits - returns[mover]!;
    expect(decision.actionValues[i]).toBeCloseTo(value, 9);
    if (action === decision.action)
      for (const [seat, total] of node!.total.entries())
        expect(decision.values[seat]).toBeCloseTo(total / node!.visits - returns[seat]!, 9);
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
  { name: "a later expansion", expansion: 5, simulations: 250 },
  {
    name: "RAVE by equivalence",
    rave: { use: "equivalence", k: 60 },
    progressiveHistory: 0,
    exploration: 0,
    epsilon: 1,
  },
  {
    name: "RAVE by bias, first-play urgency",
    rave: { use: "bias", b: 0.3 },
    firstPlay: 0.8,
    payoff: "share",
  },
  { name: "priors", prior: { of: "preference", visits: 3.5 }, progressiveHistory: 0 },
  {
    name: "all at once",
    rave: { use: "bias", b: 0.1 },
    prior: { of: "preference", visits: 2, temperature: 2.5 },
    widening: { simulations: 5, growth: 1.5 },
    exploration: 0.1,
    expansion: 2,
  },
  { name: "widening without an order", widening: { simulations: 4, growth: 1.3 }, epsilon: 1 },
  { name: "first-play urgency", firstPlay: 0.6, progressiveHistory: 0, exploration: 0.5 },
];

describe.each(trees)("mcts-%s", (tree) => {
  for (const { name, ...variant } of variants)
    it(`equals the plain search from the same draws: ${name}`, () => {
      const options = { ...defaults, ...variant };
      for (let seed = 0; seed < casesOf(8, 3); seed++) {
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

describe("searches by playouts", () => {
  it("equal the plain search where chance moves, and where a seat may move twice", () => {
    for (let seed = 0; seed < casesOf(16); seed++) {
      const players = 1 + (seed % 4);
      const game = hashGame({ seed, players, branching: 2 + (seed % 4), depth: 7, chance: (seed % 3) / 5 });
      for (const tree of players > 2 ? (["max-n", "paranoid"] as const) : trees) {
        const options = { ...defaults, payoff: "share", exploration: 0.7 } as const;
        const random = Random.named("chance", tree, seed);
        const theirs = Random.resume(random.state());
        const decision = decide(openSearch(`mcts-${tree}`, game, options), game.initial(), random);
        agree(game, decision, plainPlayoutSearch(game, game.initial(), theirs, { ...options, tree }), zeros);
        expect(random.state()).toEqual(theirs.state());
      }
    }
  });

  it("are one search for two players who share one win", () => {
    for (const game of [
      strips({ players: 2, cells: 12, lengths: 3 }),
      ticTacToe,
    ] as readonly Game<unknown>[]) {
      const [first, ...others] = trees.map((tree) =>
        decide(
          openSearch(`mcts-${tree}`, game, { simulations: 500, payoff: "share" }),
          game.initial(),
          Random.named("two"),
        ),
      );
      for (const other of others) expect(other).toEqual(first);
    }
  });

  it("keep statistics of moves over a game, and the tree if told to, and nothing from game to game", () => {
    for (const tree of trees)
      for (const reuse of [false, true]) {
        const game = strips({ players: 3, cells: 16, lengths: 3 });
        const rave = reuse ? ({ use: "equivalence", k: 50 } as const) : null;
        const options = { ...defaults, simulations: casesOf(300), exploration: 0.5, rave, tree } as const;
        const { tree: _, ...settings } = options;
        const search = openSearch(`mcts-${tree}`, game, { ...settings, reuse });
        for (const name of ["one", "another"]) {
          const random = Random.named("kept", tree, name);
          const chance = Random.named("others", name);
          const theirs = Random.resume(random.state());
          const history: PlainHistory = new Map();
          let root: PlainNode<StripsState> | undefined;
          let inherited = 0;
          const state = game.initial();
          search.begin!(state);
          while (game.toMove(state) !== OVER) {
            let action: number;
            if (game.toMove(state) === 1) {
              const kept = reuse && tree !== "best-reply" ? root : undefined;
              inherited += kept?.visits ?? 0;
              const decision = decide(search, state, random);
              root = plainPlayoutSearch(game, state, theirs, options, history, kept);
              agree(game, decision, root, zeros);
              ({ action } = decision);
            } else {
              const legal = new Int32Array(game.maxLegal);
              action = legal[chance.below(game.legal(state, legal))]!;
            }
            search.observe!(state, action);
            root = root?.branches.find((branch) => branch.action === action)?.node;
            game.play(state, action);
          }
          expect(inherited > 0).toBe(reuse && tree !== "best-reply");
          expect(random.state()).toEqual(theirs.state());
        }
      }
  });

  it("prove the same with RAVE, priors and widening, and find a perfect move", () => {
    const game = ticTacToe;
    const positions = casesOf(20);
    let proven = 0;
    for (let seed = 0; seed < positions; seed++) {
      const state = advance(game, game.initial(), 3 + (seed % 4), Random.named("proven", seed));
      if (game.toMove(state) === OVER) continue;
      const best = Math.max(...actionValues(game, state).map((values) => values[game.toMove(state)]!));
      const { values, visits } = decide(
        openSearch("mcts-max-n", game, {
          simulations: 3000,
          solver: true,
          payoff: "score",
          progressiveHistory: 0,
          rave: { use: "equivalence", k: 20 },
          widening: { simulations: 30, growth: 1.5 },
          firstPlay: 0.5,
        }),
        state,
        Random.named("prove", seed),
      );
      if (visits.reduce((sum, n) => sum + n, 0) < 3000) proven++;
      expect(values[game.toMove(state)]).toBe(best);
    }
    expect(proven).toBeGreaterThan(allCases ? 15 : 2);
  });

  it("with the settings of uct are uct", () => {
    for (const rave of [null, { use: "bias", b: 0.2 }]) {
      const game = ticTacToe;
      const shared = { simulations: 200, exploration: 0.3, epsilon: 1, expansion: 2, rave };
      const uct = openSearch("uct", game, shared);
      const mcts = openSearch("mcts-max-n", game, { ...shared, payoff: "score", progressiveHistory: 0 });
      expect(decide(uct, game.initial(), Random.named("uct"))).toEqual(
        decide(mcts, game.initial(), Random.named("uct")),
      );
    }
  });

  it("of best replies keep no tree, also where only one opponent is left", () => {
    let decisions = 0;
    for (let seed = 0; seed < casesOf(12); seed++) {
      const game = strips({ players: 3, cells: 16, lengths: 3 });
      const [plain, reusing] = [false, true].map((reuse) =>
        openSearch("mcts-best-reply", game, { simulations: 40, exploration: 0.5, reuse }),
      );
      const state = game.initial();
      // A seat that has laid all its strips is out of the game.
      state.laid[2] = 0b111;
      plain!.begin!(state);
      reusing!.begin!(state);
      const legal = new Int32Array(game.maxLegal);
      const moves = Random.named("moves", seed);
      while (game.toMove(state) !== OVER) {
        const action = legal[moves.below(game.legal(state, legal))]!;
        if (game.toMove(state) === 0) {
          const decision = decide(plain!, state, Random.named("replies", seed));
          expect(decide(reusing!, state, Random.named("replies", seed))).toEqual(decision);
          decisions++;
        }
        plain!.observe!(state, action);
        reusing!.observe!(state, action);
        game.play(state, action);
      }
    }
    // All but the first decision of a game come after one reply.
    expect(decisions).toBeGreaterThan(casesOf(24));
  });

  it("play the same game again from the same seed, whatever they played between", () => {
    const game = strips({ players: 3, cells: 16, lengths: 3 });
    const searches = trees.map((tree) =>
      openSearch(`mcts-${tree}`, game, { simulations: 80, reuse: true, solver: true }),
    );
    const played = (seed: number) => {
      const seats = searches.map((search, seat) => ({
        search,
        random: Random.named("episode", seed, seat),
        evaluator: 0,
      }));
      const { value, done } = episode(game, seats, Random.named("chance", seed)).next();
      if (done !== true) throw new Error("requested");
      return { actions: [...value.actions], values: value.decisions.map(({ values }) => values) };
    };
    const first = played(1);
    expect(played(2)).not.toEqual(first);
    expect(played(1)).toEqual(first);
  });

  it("keep nothing apart from a game", () => {
    const game = strips({ players: 3, cells: 10, lengths: 3 });
    for (const tree of trees) {
      const search = openSearch(`mcts-${tree}`, game, { simulations: 100, reuse: true });
      const once = decide(search, game.initial(), Random.named("again"));
      decide(search, advance(game, game.initial(), 2, Random.named("elsewhere")), Random.named("elsewhere"));
      expect(decide(search, game.initial(), Random.named("again"))).toEqual(once);
    }
  });

  it("come to a decision whatever the time limit", () => {
    const game = strips({ players: 3, cells: 10, lengths: 3 });
    const { action, actions, visits } = decide(
      openSearch("mcts-max-n", game, { milliseconds: 1 }),
      game.initial(),
      Random.named("quick"),
    );
    expect(visits[actions.indexOf(action)]).toBeGreaterThan(0);
  });

  it("simulate until the time is up", () => {
    const game = strips({ players: 3, cells: 10, lengths: 3 });
    for (const milliseconds of [1, 5, 400]) {
      // Every reading of this clock takes a millisecond, so it is read after every simulation.
      let now = 0;
      vi.spyOn(performance, "now").mockImplementation(() => now++);
      for (const tree of trees) {
        const { visits } = decide(
          openSearch(`mcts-${tree}`, game, { milliseconds, simulations: 3 }),
          game.initial(),
          Random.named("timed"),
        );
        expect(visits.reduce((sum, each) => sum + each, 0)).toBe(milliseconds);
      }
      vi.restoreAllMocks();
    }
  });

  it("have the visits learned, or a policy that prefers what they found to pay more", () => {
    const game = strips({ players: 3, cells: 16, lengths: 3 });
    const decided = (learnTemperature: number) =>
      decide(
        openSearch("mcts-max-n", game, { simulations: 200, learnTemperature }),
        game.initial(),
        Random.named("learned"),
      );
    const { policy: none, ...plain } = decided(0);
    expect(none).toBeUndefined();
    const { policy, ...same } = decided(0.1);
    expect(same).toEqual(plain);
    const { visits, actionValues } = plain;
    for (const [i, n] of visits.entries())
      for (const [j, m] of visits.entries())
        expect(policy![i]! * m * Math.exp(actionValues[j]! / 0.1)).toBeCloseTo(
          policy![j]! * n * Math.exp(actionValues[i]! / 0.1),
          6,
        );
    expect(Math.max(...policy!)).toBeGreaterThan(0);
  });

  it("have a finite policy at every temperature: its greatest factor, that of the best mean, is 1", () => {
    const game = strips({ players: 2, cells: 9, lengths: 3 });
    let once = 0;
    let first = 0;
    for (let seed = 0; seed < casesOf(60); seed++) {
      const state = advance(game, game.initial(), seed % 5, Random.named("cold", seed));
      if (game.toMove(state) === OVER) continue;
      const { policy, visits, actionValues } = decide(
        openSearch("mcts-max-n", game, {
          simulations: seed % 2 === 0 ? 6 : 40,
          epsilon: 1,
          payoff: "share",
          learnTemperature: 1e-6,
        }),
        state,
        Random.named("colder", seed),
      );
      const tried = Array.from(visits.keys()).filter((i) => visits[i]! > 0);
      const best = Math.max(...tried.map((i) => actionValues[i]!));
      // At a temperature this low, only moves with the best mean have a factor above 0.
      const wanted = Array.from(visits, (n, i) => (n > 0 && actionValues[i] === best ? n : 0));
      expect([...policy!]).toEqual(wanted);
      if (Math.max(...wanted) === 1) once++;
      if (wanted[0]! > 0 && wanted.filter((n) => n > 0).length === 1) first++;
    }
    // The best move may have been tried only once, and it may be the first of all.
    expect(once).toBeGreaterThan(0);
    expect(first).toBeGreaterThan(0);
  });

  it("say which games they do not suit", () => {
    const threesome = hashGame({ seed: 1, players: 3, branching: 3, depth: 4, chance: 0 });
    expect(() => openSearch("mcts-best-reply", threesome)).toThrow(/cannot pass the turn/);
    expect(() => openSearch("mcts-max-n", threesome, { payoff: "score" })).toThrow(
      /progressiveHistory needs/,
    );
  });
});

describe("the solver", () => {
  it("proves the value of paranoid and best-reply search, and a value of max-n", () => {
    for (const tree of trees)
      for (let seed = 0; seed < casesOf(18); seed++) {
        const game = strips({ players: 2 + (seed % 3), cells: 6 + (seed % 3), lengths: 2 + (seed % 2) });
        const state = advance(game, game.initial(), 1 + (seed % 4), Random.named("solve", seed));
        const me = game.toMove(state);
        if (me === OVER) continue;
        const payoff = seed % 2 === 0 ? "win" : "share";
        const search = openSearch(`mcts-${tree}`, game, {
          simulations: 100_000,
          exploration: 1,
          payoff,
          solver: true,
        });
        const { values, visits, actions, action } = decide(search, state, Random.named("proof", seed));
        // It ends when the root is proven, long before.
        expect(visits.reduce((sum, each) => sum + each, 0)).toBeLessThan(100_000);
        if (tree === "max-n") expect(equilibria(paidBy(payoff, game), state)).toContainEqual(values);
        else {
          expect(values[me]).toBe(minimax(game, state, me, payoff, tree));
          const next = game.initial();
          game.copy(state, next);
          game.play(next, action);
          expect(minimax(game, next, me, payoff, tree)).toBe(values[me]);
        }
        expect(actions).toContain(action);
      }
  });

  it("plays best in tic-tac-toe from few simulations", () => {
    const search = openSearch("mcts-max-n", ticTacToe, { simulations: 3000, payoff: "share", solver: true });
    const positions = casesOf(40);
    let proven = 0;
    for (let seed = 0; seed < positions; seed++) {
      const state = advance(ticTacToe, ticTacToe.initial(), 3 + (seed % 4), Random.named("cells", seed));
      const mover = ticTacToe.toMove(state);
      if (mover === OVER) continue;
      const exact = actionValues(ticTacToe, state).map((actionValue) => actionValue[mover]!);
      const { actions, action, values } = decide(search, state, Random.named("plays", seed));
      expect(exact[actions.indexOf(action)]).toBe(Math.max(...exact));
      proven += Number(values[mover] === Math.max(...exact));
    }
    expect(proven).toBeGreaterThan((3 / 4) * positions);
  });
});

it("playouts without a solver come close to the value of the game", () => {
  const game = strips({ players: 2, cells: 9, lengths: 3 });
  const state = advance(game, game.initial(), 1, Random.named("close"));
  const me = game.toMove(state);
  const { values } = decide(
    openSearch("mcts-paranoid", game, { simulations: 20_000, payoff: "share", exploration: 0.7 }),
    state,
    Random.named("far"),
  );
  expect(Math.abs(values[me]! - minimax(game, state, me, "share", "paranoid"))).toBeLessThan(0.1);
});

const zeros = [0, 0, 0, 0];

/** What each seat is paid at the end of a game of strips. */
function paid(game: Game<StripsState>, state: StripsState, payoff: "win" | "share"): number[] {
  const returns = returnsOf(game, state);
  const top = Math.max(...returns);
  const winners = returns.filter((each) => each === top).length;
  return returns.map((each) => (each < top ? 0 : payoff === "win" ? 1 : 1 / winners));
}

/** The root player's payoff when all others are against it, one at a time moving under best-reply. */
function minimax(
  game: Game<StripsState>,
  state: StripsState,
  me: number,
  payoff: "win" | "share",
  tree: "paranoid" | "best-reply",
): number {
  const mover = game.toMove(state);
  if (mover === OVER) return paid(game, state, payoff)[me]!;
  const layer = tree === "best-reply" && game.players > 2 && mover !== me;
  const values: number[] = [];
  for (let seat = 0; seat < game.players; seat++) {
    if (layer ? seat === me : seat !== mover) continue;
    const turned = game.initial();
    game.copy(state, turned);
    if (layer && !game.search!.passTo!(turned, seat)) continue;
    const legal = new Int32Array(game.maxLegal);
    for (const action of legal.slice(0, game.legal(turned, legal))) {
      const next = game.initial();
      game.copy(turned, next);
      game.play(next, action);
      if (layer && game.toMove(next) !== OVER) game.search!.passTo!(next, me);
      values.push(minimax(game, next, me, payoff, tree));
    }
  }
  return mover === me ? Math.max(...values) : Math.min(...values);
}

/** Strips with an ability to draw moves, from the same draws as from the list. */
function drawing(game: Game<StripsState>): Game<StripsState> {
  const legal = new Int32Array(game.maxLegal);
  const draw = (from: readonly number[], random: Random) => from[random.below(from.length)]!;
  return {
    ...game,
    playouts: {
      uniform: (state, random) => draw([...legal.subarray(0, game.legal(state, legal))], random),
      preferred(state, random) {
        const all = [...legal.subarray(0, game.legal(state, legal))];
        const longest = Math.max(...all.map(game.search!.preference!));
        return draw(
          all.filter((action) => game.search!.preference!(action) === longest),
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
