import { GameConnectFour } from "../src/games/connect-four/connect-four.ts";
import { ConnectFourSolver } from "../src/games/connect-four/solver.ts";
import type { ConnectFourState } from "../src/games/connect-four/state.ts";
import { Random } from "../src/random.ts";

/**
 * Writes a test suite of Connect Four to standard output: positions of random play, each with the moves that keep its
 * outcome under perfect play and with at least one legal move that does not. Their plies are drawn uniformly from 8 to 30;
 * no position comes twice.
 *
 * `node bin/node.js bench/connect-four-positions.ts > experiments/connect-four-positions.csv`
 */
const POSITIONS = 1000;
const FIRST_PLY = 8;
const LAST_PLY = 30;

const options = { columns: 7, rows: 6 };
const game = new GameConnectFour(options);
const solver = new ConnectFourSolver(game, 21);
const random = Random.named("connect-four-positions");
const legal = new Int32Array(game.maxLegal);
const seen = new Set<string>();

/** The position of a random game after so many plies; games that end before are left out. */
function randomPosition(plies: number): ConnectFourState {
  for (;;) {
    const state = game.initial();
    for (let ply = 0; ply < plies && game.toMove(state) >= 0; ply++)
      game.play(state, legal[random.below(game.legal(state, legal))]!);
    if (game.toMove(state) >= 0) return state;
  }
}

process.stdout.write("position,moves,plies,outcome\n");
while (seen.size < POSITIONS) {
  const plies = FIRST_PLY + random.below(LAST_PLY - FIRST_PLY + 1);
  for (;;) {
    const state = randomPosition(plies);
    const position = game.notation.position(state);
    if (seen.has(position)) continue;
    const keeps = solver.keepsOutcome(state);
    if (!keeps.includes(false)) continue;
    seen.add(position);
    const moves = keeps.flatMap((kept, column) =>
      kept === true ? [game.notation.format(state, column)] : [],
    );
    process.stdout.write(`${position},${moves.join(" ")},${plies},${solver.outcome(state)}\n`);
    break;
  }
  if (seen.size % 50 === 0)
    process.stderr.write(`${seen.size} positions, ${Math.round(process.cpuUsage().user / 1e6)} s\n`);
}
