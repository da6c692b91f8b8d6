import type { Evaluator } from "../src/games/evaluation.ts";
import { type Game, OVER } from "../src/games/game.ts";
import { openGame } from "../src/games/registry.ts";
import { Random } from "../src/random.ts";
import { drive } from "../src/search/drive.ts";
import { PlayoutPolicy } from "../src/search/playouts/playout-policy.ts";
import { openSearch } from "../src/search/registry.ts";
import { processorMs, ratesInTurn, type Turns } from "./in-turn.ts";
import { type BenchReport, type BenchRow, compared } from "./report.ts";

/** Number of rounds; each times the search and bare playouts in turn. The result is the median of the rates. */
const TURNS: Turns = { rounds: 9, warmUps: 2, sliceMs: 200 };

/** Simulations of one search: the source's number of a decision. */
const SIMULATIONS = 800;

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

/**
 * `bench search`: simulations per second of `mcts-max-n` in Blokus with the source's settings, 800 a decision, beside
 * bare playouts of the same policy from the same position: what the tree costs. And of older searches. One thread;
 * seconds are of processor time, since a search that shares its core with other work is not the slower for it.
 */
export async function benchSearch(): Promise<BenchReport> {
  const rows: BenchRow[] = [];
  for (const [name, plies] of BLOKUS) {
    const game: Game<unknown> = openGame(name);
    const random = Random.named("bench", "search", name, plies);
    const states = Array.from({ length: plies === 0 ? 1 : POSITIONS }, () =>
      positionAfter(game, plies, random),
    );
    const [simulations, playouts] = ratesInTurn(
      [
        searching(game, "mcts-max-n", { simulations: SIMULATIONS }, SIMULATIONS, states, random),
        playingOut(game, states, random),
      ],
      TURNS,
      processorMs,
    );
    const place = plies === 0 ? "from the start" : `after ${plies} plies`;
    rows.push(
      compared(
        {
          case: `mcts-max-n, ${name} ${place}`,
          metric: "simulations",
          unit: "simulations/s",
          value: simulations!,
        },
        { name: "bare playouts", value: playouts! },
      ),
    );
  }
  for (const [search, name, options] of [
    ["uct", "tic-tac-toe", { simulations: SIMULATIONS }],
    ["mc-softmax", "2048", { simulations: 100 }],
  ] as const) {
    const game: Game<unknown> = openGame(name);
    const random = Random.named("bench", "search", search);
    const state = game.initial();
    while (game.toMove(state) < 0) game.play(state, game.chance!.sample(state, random));
    const [rate] = ratesInTurn(
      [searching(game, search, options, options.simulations, [state], random)],
      TURNS,
    );
    const net = search === "mc-softmax" ? ", a constant for a net" : "";
    rows.push({
      case: `${search}, ${name} from the start${net}`,
      metric: "simulations",
      unit: "simulations/s",
      value: rate!,
    });
  }
  return { bench: "search", rows };
}

const constant: Evaluator<unknown> = {
  evaluate(request) {
    request.values.fill(1);
  },
};

/** Decides once; returns its number of simulations. */
function searching(
  game: Game<unknown>,
  name: string,
  options: Readonly<Record<string, unknown>>,
  simulations: number,
  states: readonly unknown[],
  random: Random,
): () => number {
  const search = openSearch(name, game, options);
  let turn = 0;
  return () => {
    drive(search.search(states[turn++ % states.length], random, 0), constant);
    return simulations;
  };
}

/** Plays out once from one of the positions, each in turn. */
function playingOut(game: Game<unknown>, states: readonly unknown[], random: Random): () => number {
  const policy = new PlayoutPolicy(game, EPSILON);
  const copy = game.initial();
  let turn = 0;
  return () => {
    game.copy(states[turn++ % states.length], copy);
    policy.play(copy, random);
    return 1;
  };
}

function positionAfter(game: Game<unknown>, plies: number, random: Random): unknown {
  const state = game.initial();
  for (let ply = 0; ply < plies && game.toMove(state) !== OVER; ply++)
    game.play(state, game.playouts!.preferred(state, random));
  return state;
}
