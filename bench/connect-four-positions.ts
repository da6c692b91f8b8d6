import { parseArgs } from "node:util";
import { drive } from "../src/search/drive.ts";
import { GameConnectFour } from "../src/games/connect-four/connect-four.ts";
import { ConnectFourSolver } from "../src/games/connect-four/solver.ts";
import { type ConnectFourState, stoneCount } from "../src/games/connect-four/state.ts";
import type { EvaluationRequest } from "../src/games/evaluation.ts";
import { readExperiment } from "../src/graph/experiment-file.ts";
import { openBlockingEvaluator } from "../src/operators/play/evaluation/blocking-evaluator.ts";
import { weightsOf } from "../src/operators/run/weights/named-tensors.ts";
import { readNamedWeights } from "../src/operators/run/weights/net-weights.ts";
import { Random } from "../src/random.ts";
import { openSearch } from "../src/search/registry.ts";
import { mirrorOf } from "./connect-four-mirror.ts";

/**
 * Writes a test suite of Connect Four to standard output: positions with the moves that keep their outcome under perfect play and with
 * at least one legal move that does not. No position comes twice, nor the mirror image of another one.
 *
 *     node bin/node.js bench/connect-four-positions.ts random > experiments/connect-four-positions.csv
 *     node bin/node.js bench/connect-four-positions.ts stages > experiments/connect-four-stages.csv
 *     node bin/node.js bench/connect-four-positions.ts own-play > experiments/connect-four-own-play.csv
 *     node bin/node.js bench/connect-four-positions.ts book > experiments/connect-four-perfect-book.txt
 *
 * - `random`: 1,000 positions of random play, their plies drawn uniformly from 8 to 30. They may be mirror images of each other.
 * - `stages`: six suites of 200 positions. `end`, `middle` and `begin` have 28 stones and more, 15 to 27, and 10 to 14; to the end under perfect play
 *   `easy` positions have less than 14 plies, `medium` ones less than 28, `hard` ones more. Games are played by UCT with 60 simulations,
 *   which plays a random move with a probability that is drawn for each game.
 * - `own-play`: 1,000 positions with 16 to 34 stones of games that are drawn from the policy of the committed net of
 *   `experiments/connect-four-player.yaml`.
 * - `book`: not a suite but 100 openings of eight drawn plies, after which the first player wins, but in no less than 15 plies.
 */
const { positionals } = parseArgs({ allowPositionals: true });
const [kind, ...rest] = positionals;
const game = new GameConnectFour({ columns: 7, rows: 6 });
const solver = new ConnectFourSolver(game, 24);
const legal = new Int32Array(game.maxLegal);
const seen = new Set<string>();

/** A position that tests something, as columns of the file. */
interface Tested {
  readonly position: string;
  readonly moves: string;
  readonly plies: number;
  readonly outcome: number;
}

/** The position as a row, if it has not come before and a legal move loses value there. */
function tested(state: ConnectFourState, mirrored: string | undefined): Tested | undefined {
  const position = game.notation.position(state);
  if (seen.has(position) || (mirrored !== undefined && seen.has(mirrored))) return undefined;
  const keeps = solver.keepsOutcome(state);
  if (!keeps.includes(false)) return undefined;
  seen.add(position);
  const moves = keeps.flatMap((kept, column) => (kept === true ? [game.notation.format(state, column)] : []));
  return { position, moves: moves.join(" "), plies: stoneCount(state), outcome: solver.outcome(state) };
}

/** The position of a random game after so many plies; games that end before are left out. */
function randomPosition(plies: number, random: Random): ConnectFourState {
  for (;;) {
    const state = game.initial();
    for (let ply = 0; ply < plies && game.toMove(state) >= 0; ply++)
      game.play(state, legal[random.below(game.legal(state, legal))]!);
    if (game.toMove(state) >= 0) return state;
  }
}

function writeRandom(): void {
  const random = Random.named("connect-four-positions");
  process.stdout.write("position,moves,plies,outcome\n");
  while (seen.size < 1000) {
    const plies = 8 + random.below(23);
    for (;;) {
      const row = tested(randomPosition(plies, random), undefined);
      if (row === undefined) continue;
      process.stdout.write(`${row.position},${row.moves},${row.plies},${row.outcome}\n`);
      break;
    }
  }
}

function stageOf(stones: number): string {
  return stones >= 28 ? "end" : stones >= 15 ? "middle" : "begin";
}

/** The suite of a position with so many stones whose game lasts so many plies under perfect play. */
function suiteOf(stones: number, plies: number): string {
  return `${stageOf(stones)}, ${plies < 14 ? "easy" : plies < 28 ? "medium" : "hard"}`;
}

function writeStages(): void {
  const random = Random.named("connect-four-stages");
  const uct = openSearch<ConnectFourState>("uct", game, { simulations: 60 });
  const wanted = [
    "end, easy",
    "middle, easy",
    "middle, medium",
    "begin, easy",
    "begin, medium",
    "begin, hard",
  ];
  const found = new Map(wanted.map((suite) => [suite, 0]));
  process.stdout.write("position,moves,plies,outcome,suite,win in one\n");
  while ([...found.values()].some((count) => count < 200)) {
    const state = game.initial();
    const share = random.float();
    // One position a game, so that positions are independent.
    const stones = 10 + random.below(27);
    while (game.toMove(state) >= 0 && stoneCount(state) < stones) {
      const any = legal[random.below(game.legal(state, legal))]!;
      const draws = Random.named("move", random.below(2 ** 32));
      const good = drive(uct.search(state, draws, 0), { evaluate: () => undefined }).action;
      game.play(state, random.float() < share ? any : good);
    }
    if (game.toMove(state) < 0) continue;
    // Early positions take the solver long: it is not called for stages whose suites are full.
    if (wanted.every((suite) => !suite.startsWith(stageOf(stones)) || found.get(suite)! >= 200)) continue;
    const { plies } = solver.value(state);
    const suite = suiteOf(stones, plies);
    if ((found.get(suite) ?? 200) >= 200) continue;
    const row = tested(state, mirrorOf(game.notation.position(state)));
    if (row === undefined) continue;
    found.set(suite, found.get(suite)! + 1);
    write(row, [suite, winText(plies)]);
  }
}

function writeOwnPlay(file: string): void {
  const { experiment } = readExperiment(file);
  const evaluator = openBlockingEvaluator(
    experiment,
    "zero",
    weightsOf(readNamedWeights(experiment, "zero").tensors),
  );
  const random = Random.named("connect-four-own-play");
  const priors = new Float32Array(game.maxLegal);
  process.stdout.write("position,moves,plies,outcome,win in one\n");
  while (seen.size < 1000) {
    const state = game.initial();
    const stones = 16 + random.below(19);
    while (game.toMove(state) >= 0 && stoneCount(state) < stones) {
      const request: EvaluationRequest<unknown> = {
        states: [state],
        count: 1,
        values: new Float64Array(2),
        priors,
      };
      evaluator.evaluate(request);
      const count = game.legal(state, legal);
      let draw = random.float() * priors.subarray(0, count).reduce((sum, prior) => sum + prior, 0);
      let move = 0;
      while (move < count - 1 && (draw -= priors[move]!) >= 0) move++;
      game.play(state, legal[move]!);
    }
    if (game.toMove(state) < 0) continue;
    const row = tested(state, mirrorOf(game.notation.position(state)));
    if (row !== undefined) write(row, [winText(solver.value(state).plies)]);
  }
}

function writeBook(): void {
  const random = Random.named("connect-four-book");
  while (seen.size < 100) {
    const state = game.initial();
    const moves: string[] = [];
    while (moves.length < 8 && game.toMove(state) >= 0) {
      const move = legal[random.below(game.legal(state, legal))]!;
      moves.push(game.notation.format(state, move));
      game.play(state, move);
    }
    if (game.toMove(state) < 0) continue;
    const position = game.notation.position(state);
    if (seen.has(position) || seen.has(mirrorOf(position))) continue;
    // The outcome is cheaper to find than the number of plies to it.
    if (solver.outcome(state) < 1 || solver.value(state).plies < 15) continue;
    seen.add(position);
    process.stdout.write(`${moves.join(" ")}\n`);
  }
}

function winText(plies: number): string {
  return plies === 1 ? "win in one" : "other";
}

function write({ moves, outcome, plies, position }: Tested, more: readonly string[]): void {
  const cells = [position, moves, String(plies), String(outcome), ...more];
  process.stdout.write(`${cells.map((cell) => (cell.includes(",") ? `"${cell}"` : cell)).join(",")}\n`);
}

if (kind === "random") writeRandom();
else if (kind === "stages") writeStages();
else if (kind === "book") writeBook();
else if (kind === "own-play") {
  writeOwnPlay(rest[0] ?? "experiments/connect-four-player.yaml");
  process.exit(0);
} else {
  process.stderr.write("expected random, stages, own-play [EXPERIMENT] or book\n");
  process.exit(2);
}
