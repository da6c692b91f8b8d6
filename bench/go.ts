import { type Game, OVER } from "../src/games/game.ts";
import { openGame } from "../src/games/registry.ts";
import type { Random } from "../src/random.ts";
import { C_COMPILED, CProgram, ratesBesideC } from "./c-program.ts";
import { processorMs, ratesInTurn, type Turns } from "./in-turn.ts";
import { type BenchRow, compared } from "./report.ts";

/** Number of rounds; each times game and peer in turn. The result is the median of the rates. */
const TURNS: Turns = { rounds: 21, warmUps: 3, sliceMs: 50 };

/** The sizes that are measured. */
const SIZES = [9, 19] as const;

/**
 * Go on one thread, in processor time, from the empty board: uniform playouts with their score, beside a program in C that
 * plays the same playouts (`go_peer.c`); random legal moves through the contract of games, by positional superko; playouts
 * by a linear policy; and the input planes of nets.
 */
export async function goRates(random: Random): Promise<BenchRow[]> {
  const program = CProgram.start("go_peer.c");
  const rows: BenchRow[] = [];
  try {
    for (const size of SIZES) rows.push(...(await rowsOf(size, random, program)));
  } finally {
    program?.close();
  }
  return rows;
}

async function rowsOf(size: number, random: Random, program: CProgram | undefined): Promise<BenchRow[]> {
  const play = playout(openGame("go", { size }), random);
  const row = { case: `go ${size}x${size}`, metric: "uniform playouts", unit: "playouts/s" };
  const command = (ms: number) => `time ${size} ${ms}`;
  const rates = program && (await ratesBesideC(program, command, play, processorMs, TURNS));
  const [alone] = rates === undefined ? ratesInTurn([play], TURNS, processorMs) : [];
  // By the rules alone: as long as a playout lasts at most, since random moves fill eyes and continue for long.
  const [legal] = ratesInTurn(
    [randomMoves(openGame("go", { size, moveLimit: 3 * size * size }), random)],
    TURNS,
    processorMs,
  );
  return [
    rates === undefined
      ? { ...row, value: alone! }
      : compared({ ...row, value: rates.own }, { name: `plain C, ${C_COMPILED}`, value: rates.peer }),
    { case: row.case, metric: "random legal moves", unit: "moves/s", value: legal! },
    {
      case: row.case,
      metric: "playouts by linear policy",
      unit: "us/move",
      value: 1e6 / policyRate(size, random),
    },
    ...planesRates(size, random),
  ];
}

/** How fast the input planes of nets are written, by name, for positions of a playout. */
function planesRates(size: number, random: Random): BenchRow[] {
  const game = openGame("go", { size });
  const positions = playedPositions(game, random);
  return Object.entries(game.nets!.planes).map(([name, planes]) => {
    const out = new Float32Array(planes.shape.reduce((product, length) => product * length, 1));
    const write = () => {
      for (const position of positions) planes.write(position, out, 0);
      return positions.length;
    };
    const [rate] = ratesInTurn([write], TURNS, processorMs);
    return { case: `go ${size}x${size}`, metric: `planes ${name}`, unit: "positions/s", value: rate! };
  });
}

/** About twenty positions of a playout, from its start to its end. */
function playedPositions(game: Game<unknown>, random: Random): unknown[] {
  const positions: unknown[] = [];
  const state = game.initial();
  const every = Math.ceil(game.actions / 20);
  for (let ply = 0; game.toMove(state) !== OVER; ply++) {
    if (ply % every === 0) {
      const copy = game.initial();
      game.copy(state, copy);
      positions.push(copy);
    }
    game.play(state, game.playouts!.uniform(state, random));
  }
  return positions;
}

/** Plays out once and scores; returns 1. */
function playout(game: Game<unknown>, random: Random): () => number {
  const playouts = game.playouts!;
  const start = game.initial();
  const state = game.initial();
  const returns = new Float64Array(game.players);
  return () => {
    game.copy(start, state);
    playouts.finish!(state, random);
    game.returns(state, returns);
    return 1;
  };
}

/** Moves a second of playouts by a linear policy with all features; its weights are drawn from the normal distribution. */
function policyRate(size: number, random: Random): number {
  const game = openGame("go", { size });
  const { moveFeatures, playoutsBy } = game.linear!;
  const weights = Float64Array.from({ length: moveFeatures!.count }, () => random.normal());
  const finish = playoutsBy!(weights);
  const start = game.initial();
  const state = game.initial();
  let moves = 0;
  const recorder = { add: () => void moves++ };
  const [rate] = ratesInTurn(
    [
      () => {
        game.copy(start, state);
        moves = 0;
        finish(state, random, recorder);
        return moves;
      },
    ],
    TURNS,
    processorMs,
  );
  return rate!;
}

/** Plays a game of random legal moves; returns their number. */
function randomMoves(game: Game<unknown>, random: Random): () => number {
  const legal = new Int32Array(game.maxLegal);
  const start = game.initial();
  const state = game.initial();
  return () => {
    game.copy(start, state);
    let moves = 0;
    for (; game.toMove(state) !== OVER; moves++)
      game.play(state, legal[random.below(game.legal(state, legal))]!);
    return moves;
  };
}
