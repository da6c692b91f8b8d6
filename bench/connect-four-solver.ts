import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { encodeCsv } from "../src/formats/csv.ts";
import { GameConnectFour } from "../src/games/connect-four/connect-four.ts";
import { ConnectFourSolver } from "../src/games/connect-four/solver.ts";
import { Random } from "../src/random.ts";

/**
 * The processor time of the solver of Connect Four on positions of random play, by the number of stones: the value with its
 * distance, and which moves keep the outcome. Every position is solved by a solver with an empty table. The first positions
 * are solved twice, so that no time counts the compilation of the code.
 *
 * `node bin/node.js bench/connect-four-solver.ts [--out FILE] [STONES=POSITIONS...]`; --out also writes the figures as CSV.
 */
const { positionals, values: flags } = parseArgs({
  allowPositionals: true,
  options: { out: { type: "string" } },
});
const cases = (positionals.length > 0 ? positionals : ["30=20", "20=20", "16=20", "12=20", "8=5"]).map(
  (one) => one.split("=").map(Number),
);
if (cases.some((one) => one.length !== 2 || !one.every((count) => Number.isInteger(count) && count > 0))) {
  process.stderr.write("expected STONES=POSITIONS, such as 20=10\n");
  process.exit(2);
}
const options = { columns: 7, rows: 6 };
const game = new GameConnectFour(options);
const legal = new Int32Array(game.maxLegal);

const milliseconds = (work: () => void): number => {
  const before = process.cpuUsage().user;
  work();
  return (process.cpuUsage().user - before) / 1000;
};
/** Mean, median, greatest. */
const summary = (times: number[]): [number, number, number] => {
  const sorted = times.toSorted((a, b) => a - b);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  return [mean, sorted[Math.floor(sorted.length / 2)]!, sorted.at(-1)!];
};

/** Milliseconds of both questions for positions with so many stones, and the positions that were searched. */
function timed(stones: number, positions: number) {
  const random = Random.named("connect-four-solver", stones);
  const value: number[] = [];
  const keeps: number[] = [];
  let searched = 0;
  for (let i = 0; i < positions;) {
    const state = game.initial();
    for (let ply = 0; ply < stones && game.toMove(state) >= 0; ply++)
      game.play(state, legal[random.below(game.legal(state, legal))]!);
    if (game.toMove(state) < 0) continue;
    i++;
    const exact = new ConnectFourSolver(game, 21);
    value.push(milliseconds(() => exact.value(state)));
    const outcomes = new ConnectFourSolver(game, 21);
    keeps.push(milliseconds(() => outcomes.keepsOutcome(state)));
    searched += exact.searched + outcomes.searched;
  }
  return { value, keeps, searched };
}

timed(...(cases[0] as [number, number]));
process.stdout.write(
  "milliseconds: mean, median, greatest of value; then of keepsOutcome; positions searched a ms\n",
);
const rows: number[][] = [];
for (const [stones, positions] of cases as [number, number][]) {
  const { value, keeps, searched } = timed(stones, positions);
  const spent = [...value, ...keeps].reduce((sum, time) => sum + time, 0);
  const figures = [...summary(value), ...summary(keeps)];
  rows.push([stones, positions, ...figures, searched / spent]);
  process.stdout.write(
    `${String(stones).padStart(2)} stones ${figures.map((time) => time.toFixed(2).padStart(10)).join("")}  ${Math.round(searched / spent)}\n`,
  );
}
if (flags.out !== undefined)
  writeFileSync(
    flags.out,
    encodeCsv({
      columns: [
        ...["stones", "positions"].map((name) => ({ name, type: "integer" as const })),
        ...["value", "keepsOutcome"].flatMap((question) =>
          ["mean", "median", "greatest"].map((kind) => ({
            name: `${question} ${kind} ms`,
            type: "number" as const,
          })),
        ),
        { name: "searched a ms", type: "number" },
      ],
      rows,
    }),
  );
