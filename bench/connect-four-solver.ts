import { GameConnectFour } from "../src/games/connect-four/connect-four.ts";
import { ConnectFourSolver } from "../src/games/connect-four/solver.ts";
import { Random } from "../src/random.ts";

/**
 * The processor time of the solver of Connect Four on positions of random play, by the number of stones: the value with its
 * distance, and which moves keep the outcome. Every position is solved by a solver with an empty table.
 *
 * `node bin/node.js bench/connect-four-solver.ts [POSITIONS] [STONES...]`
 */
const [positions = 20, ...stones] = process.argv.slice(2).map(Number);
const options = { columns: 7, rows: 6 };
const game = new GameConnectFour(options);
const legal = new Int32Array(game.maxLegal);

const milliseconds = (work: () => void): number => {
  const before = process.cpuUsage().user;
  work();
  return (process.cpuUsage().user - before) / 1000;
};
const summary = (times: number[]): string => {
  const sorted = times.toSorted((a, b) => a - b);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  return [mean, sorted[Math.floor(sorted.length / 2)]!, sorted.at(-1)!]
    .map((time) => time.toFixed(2).padStart(10))
    .join("");
};

process.stdout.write(
  "milliseconds: mean, median, greatest of value; then of keepsOutcome; positions searched a ms\n",
);
for (const count of stones.length > 0 ? stones : [30, 20, 16, 12]) {
  const random = Random.named("connect-four-solver", count);
  const value: number[] = [];
  const keeps: number[] = [];
  let searched = 0;
  for (let i = 0; i < positions;) {
    const state = game.initial();
    for (let ply = 0; ply < count && game.toMove(state) >= 0; ply++)
      game.play(state, legal[random.below(game.legal(state, legal))]!);
    if (game.toMove(state) < 0) continue;
    i++;
    const exact = new ConnectFourSolver(options, 21);
    value.push(milliseconds(() => exact.value(state)));
    const outcomes = new ConnectFourSolver(options, 21);
    keeps.push(milliseconds(() => outcomes.keepsOutcome(state)));
    searched += exact.searched + outcomes.searched;
  }
  const spent = [...value, ...keeps].reduce((sum, time) => sum + time, 0);
  process.stdout.write(
    `${String(count).padStart(2)} stones ${summary(value)}  ${summary(keeps)}  ${Math.round(searched / spent)}\n`,
  );
}
