import type { Evaluator } from "../src/games/evaluation.ts";
import { CHANCE, type Game, OVER } from "../src/games/game.ts";
import type { Random } from "../src/random.ts";
import type { PlayoutPolicy } from "../src/search/playouts/playout-policy.ts";
import type { Decision, Search, Searching } from "../src/search/search.ts";

/** What the cases use of a checkout, so that two checkouts can be timed by the same cases. */
export interface SearchModules {
  openGame(name: string, options?: Readonly<Record<string, unknown>>): Game<any>;
  openSearch(name: string, game: Game<any>, options: Readonly<Record<string, unknown>>): Search<any>;
  readonly Random: { named(...name: readonly (string | number)[]): Random };
  drive(searching: Searching<any>, evaluator: Evaluator<any>): Decision<any>;
  readonly PlayoutPolicy: new (
    game: Game<any>,
    epsilon: number,
  ) => Pick<PlayoutPolicy<any>, "play" | "finish">;
}

/** One search to be timed. */
export interface SearchCase {
  readonly bench: "search" | "selfplay";
  readonly name: string;
  /** Opens the game and the search. Throws GameNotOpened if the checkout lacks the game. */
  readonly open: () => OpenedCase;
}

/** One search at work. */
export interface OpenedCase {
  /** Decides once, and returns the number of simulations. */
  readonly run: () => number;
  /** Plays out once from one of the case's positions, and returns 1. Absent if no playouts are compared. */
  readonly playOut?: () => number;
}

/** Simulations of one search: the source's number of a decision. */
const SIMULATIONS = 800;

/** Simulations of a decision in Go: UCT tries each of the 82 moves some sixty times. */
const GO_SIMULATIONS = 5000;

/** Simulations of a decision in Daihinmin: those of the source of its searches. */
const DAIHINMIN_SIMULATIONS = 1000;

/** Decisions of Daihinmin before a search: about a third of a game. */
const DAIHINMIN_MIDDLE = 25;

/** The source's share of uniform moves in playouts. */
const EPSILON = 0.05;

/** Positions of each case, taken in turn: after the same number of plies they differ in what is left to play. */
const POSITIONS = 8;

/** Where Blokus is searched: after this many plies of playouts' preferred moves. */
const BLOKUS = [
  ["blokus", 0],
  ["blokus", 16],
  ["blokus", 32],
  ["blokus-duo", 0],
] as const;

/** How agents in self-play search Blokus; the second one as in experiments/blokuszero-fast.yaml. */
export const selfPlayAgents = {
  puct: { use: "puct-max-n", simulations: 100, noise: { epsilon: 0.25, alpha: 0.02 } },
  gumbel: {
    use: "gumbel",
    simulations: 32,
    considered: 16,
    cScale: 0.1,
    range: 20,
    playouts: { weight: 0.5, epsilon: EPSILON },
  },
} as const;

/** The searches that benches time, with the code of a checkout. */
export function searchCases(modules: SearchModules): SearchCase[] {
  const cases: SearchCase[] = [];
  for (const [name, plies] of BLOKUS)
    cases.push({
      bench: "search",
      name: `mcts-max-n, ${name} ${plies === 0 ? "from the start" : `after ${plies} plies`}`,
      open() {
        const game = modules.openGame(name);
        const random = modules.Random.named("bench", "search", name, plies);
        const states = Array.from({ length: plies === 0 ? 1 : POSITIONS }, () =>
          positionAfter(game, plies, random),
        );
        return {
          run: searching(modules, game, "mcts-max-n", { simulations: SIMULATIONS }, states, random),
          playOut: playingOut(modules, game, EPSILON, states, random),
        };
      },
    });
  for (const [search, name, simulations] of [
    ["uct", "tic-tac-toe", SIMULATIONS],
    ["mc-softmax", "2048", 100],
  ] as const) {
    const net = search === "mc-softmax" ? ", a constant for a net" : "";
    cases.push({
      bench: "search",
      name: `${search}, ${name} from the start${net}`,
      open() {
        const game = modules.openGame(name);
        const random = modules.Random.named("bench", "search", search);
        const state = game.initial();
        while (game.toMove(state) < 0) game.play(state, game.chance!.sample(state, random));
        return { run: searching(modules, game, search, { simulations }, [state], random) };
      },
    });
  }
  cases.push({
    bench: "search",
    name: "uct, go 9x9 from the start",
    open() {
      const game = modules.openGame("go", { size: 9 });
      const random = modules.Random.named("bench", "search", "go");
      const states = [game.initial()];
      return {
        run: searching(modules, game, "uct", { simulations: GO_SIMULATIONS }, states, random),
        playOut: playingOut(modules, game, 1, states, random),
      };
    },
  });
  cases.push({
    bench: "search",
    name: `so-ismcts, daihinmin after ${DAIHINMIN_MIDDLE} plies`,
    open() {
      const game = modules.openGame("daihinmin");
      const random = modules.Random.named("bench", "search", "daihinmin");
      const states = Array.from({ length: POSITIONS }, () => positionAfter(game, DAIHINMIN_MIDDLE, random));
      return {
        run: searching(modules, game, "so-ismcts", { simulations: DAIHINMIN_SIMULATIONS }, states, random),
        playOut: playingOut(modules, game, 1, states, random),
      };
    },
  });
  for (const { use, ...options } of Object.values(selfPlayAgents))
    cases.push({
      bench: "selfplay",
      name: `${use}, blokus, the search alone`,
      open() {
        const game = modules.openGame("blokus");
        const random = modules.Random.named("bench", "selfplay", use);
        const states = [4, 12, 20, 28, 36, 44].map((plies) => positionAfter(game, plies, random));
        return { run: searching(modules, game, use, options, states, random) };
      },
    });
  return cases;
}

/** Values at random and unequal priors, at almost no cost. */
export function cheapEvaluator(game: Game<unknown>, random: Random): Evaluator<unknown> {
  const weights = Float32Array.from({ length: game.maxLegal }, () => random.float() ** 8 / 10);
  return {
    evaluate: ({ values, priors }) => {
      for (let i = 0; i < values.length; i++) values[i] = 2 * random.float() - 1;
      priors!.set(weights);
    },
  };
}

const constant: Evaluator<unknown> = {
  evaluate(request) {
    request.values.fill(1);
  },
};

function searching(
  modules: SearchModules,
  game: Game<unknown>,
  name: string,
  options: Readonly<Record<string, unknown>> & { readonly simulations: number },
  states: readonly unknown[],
  random: Random,
): () => number {
  const search = modules.openSearch(name, game, options);
  const evaluator = name === "puct-max-n" || name === "gumbel" ? cheapEvaluator(game, random) : constant;
  let turn = 0;
  return () => {
    modules.drive(search.search(states[turn++ % states.length], random, 0), evaluator);
    return options.simulations;
  };
}

/** Bare playouts, as fast as the game has them. */
function playingOut(
  modules: SearchModules,
  game: Game<unknown>,
  epsilon: number,
  states: readonly unknown[],
  random: Random,
): () => number {
  const policy = new modules.PlayoutPolicy(game, epsilon);
  const copy = game.initial();
  let turn = 0;
  return () => {
    game.copy(states[turn++ % states.length], copy);
    policy.finish(copy, random);
    return 1;
  };
}

/** The first position with a choice after so many decisions of playouts' preferred moves, or the end of the game. */
function positionAfter(game: Game<unknown>, plies: number, random: Random): unknown {
  const state = game.initial();
  const legal = new Int32Array(game.maxLegal);
  for (let ply = 0; game.toMove(state) !== OVER;)
    if (game.toMove(state) === CHANCE) game.play(state, game.chance!.sample(state, random));
    else if (ply++ < plies || game.legal(state, legal) === 1)
      game.play(state, game.playouts!.preferred(state, random));
    else break;
  return state;
}
