/**
 * Compares the speed of the searches of two checkouts: prints for each the ratio of their rates, with a 95% interval.
 *
 *     npm run bench:pairs -- BEFORE [AFTER] [--rounds 20] [--bench search|selfplay] [--only TEXT] [--least 0.95]
 *
 * BEFORE and AFTER are folders of checkouts in which `npm ci` has been run; AFTER is this one if absent. In each round
 * every case has a new process, because what Node compiles differs from process to process, and because threads of
 * self-play have one or two searches each. The process loads both checkouts and times them by turns, see `pairs-round.ts`.
 * The checkout that begins changes from round to round. Time is user time. A ratio above 1 means that AFTER is faster.
 * The interval is that of the mean logarithm over the rounds. With --least the exit code is 1 if an interval begins
 * below that number.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openGame } from "../src/games/registry.ts";
import { Random } from "../src/random.ts";
import { drive } from "../src/search/drive.ts";
import { PlayoutPolicy } from "../src/search/playouts/playout-policy.ts";
import { openSearch } from "../src/search/registry.ts";
import { meanEstimate } from "../src/stats/intervals.ts";
import { searchCases } from "./search-cases.ts";

const { positionals, values: flags } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "20" },
    bench: { type: "string", default: "all" },
    only: { type: "string", default: "" },
    least: { type: "string" },
  },
});
const [before, after = resolve(import.meta.dirname, "..")] = positionals.map((path) => resolve(path));
const rounds = Number(flags.rounds);
if (
  before === undefined ||
  ![before, after].every((checkout) => existsSync(join(checkout, "src/search/registry.ts"))) ||
  !Number.isInteger(rounds) ||
  rounds < 2 ||
  !["all", "search", "selfplay"].includes(flags.bench)
) {
  process.stderr.write(
    "usage: npm run bench:pairs -- BEFORE [AFTER] [--rounds 20] [--bench search|selfplay] [--only TEXT] [--least 0.95]; BEFORE and AFTER are folders of checkouts, rounds at least 2\n",
  );
  process.exit(2);
}

/** The simulations of each in a second of user time, and how much faster AFTER is. */
interface Pair {
  readonly before: number;
  readonly after: number;
  readonly ratio: number;
}

const names = searchCases({ openGame, openSearch, Random, drive, PlayoutPolicy })
  .filter(({ bench, name }) => (flags.bench === "all" || bench === flags.bench) && name.includes(flags.only))
  .map(({ name }) => name);

/** One round of a case; undefined if a checkout lacks the game. */
function timed(name: string, beforeFirst: boolean): Pair | undefined {
  const script = join(import.meta.dirname, "pairs-round.ts");
  const checkouts = beforeFirst ? [before!, after] : [after, before!];
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...checkouts, name], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${name} could not be timed in both checkouts:\n${stderr}`);
  const rates = JSON.parse(stdout) as [number, number, number] | null;
  if (rates === null) return undefined;
  const [first, second, ratio] = rates;
  return beforeFirst
    ? { before: first, after: second, ratio }
    : { before: second, after: first, ratio: 1 / ratio };
}

const pairs = new Map<string, Pair[]>(names.map((name) => [name, []]));
for (let round = 0; round < rounds; round++) {
  const began = performance.now();
  for (const [name, list] of pairs) {
    const pair = timed(name, round % 2 === 0);
    if (pair !== undefined) list.push(pair);
    else {
      process.stderr.write(`left out, since a checkout lacks the game: ${name}\n`);
      pairs.delete(name);
    }
  }
  const seconds = (performance.now() - began) / 1000;
  process.stderr.write(`round ${round + 1} of ${rounds}: ${seconds.toFixed(0)} s\n`);
}
let failures = 0;
const line = (cells: readonly string[]) =>
  `${cells.map((cell, i) => (i === 0 ? cell.padEnd(58) : cell.padStart(13))).join("")}\n`;
process.stdout.write(line(["simulations/s of user time", "before", "after", "ratio", "95% interval"]));
for (const [name, list] of pairs) {
  const mean = (side: "before" | "after") => meanEstimate(list.map((pair) => pair[side])).value;
  const { value, interval } = meanEstimate(list.map(({ ratio }) => Math.log(ratio)));
  const [low, high] = interval.map(Math.exp);
  if (flags.least !== undefined && low! < Number(flags.least)) failures++;
  process.stdout.write(
    line([
      name,
      ...[mean("before"), mean("after")].map((rate) => Math.round(rate).toLocaleString("en")),
      Math.exp(value).toFixed(3),
      `${low!.toFixed(3)}-${high!.toFixed(3)}`,
    ]),
  );
}
process.exitCode = failures === 0 ? 0 : 1;
