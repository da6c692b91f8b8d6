/**
 * Compares what two checkouts do: the same experiments, run by each, must give the same moves, values and returns in every
 * game and the same numbers in every weight tensor. Prints one row for each experiment; exits with 1 where anything differs.
 *
 *     npm run compare -- BEFORE [AFTER] [--only NAME] [--keep FOLDER]
 *
 * `--only` chooses one experiment; `--only interrupted` the run that BEFORE begins and AFTER goes on with.
 *
 * BEFORE and AFTER are folders of checkouts in which `npm ci` has been run; AFTER is this one where absent. Afterwards
 * AFTER opens what BEFORE has made: it replays a game of every stage, writes every report again, goes on with a run that
 * was interrupted half way, and plays with the committed nets of BEFORE.
 *
 * Runs whose nets were computed with different arithmetics (`src/graph/folder/arithmetic.ts`) may differ in their last bits, and so
 * in moves and in all that is learned later. Of these runs a second table tells how many games are equal, how far values
 * are apart before another move, and what differs first. They fail only where numbers, seats or files differ, or where
 * values differ by more than 1e-5 while nothing has been learned yet.
 *
 * Every experiment is shortened to at least 20 games, or whole matches, and where it learns to at least ten training
 * steps. Each checkout reads its own experiment files, so that keys may have other names in the two.
 */
import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { decodeGameRecord } from "../../src/formats/game-records.ts";
import { RecordLogReader } from "../../src/formats/record-log.ts";
import { compareRuns, type Found } from "./compare-runs.ts";

interface Case {
  readonly name: string;
  /** A file of the checkout's experiments, or the text of one. */
  readonly file: string | { readonly yaml: string };
  readonly set: readonly string[];
}

/** The match of the README. */
const match = `name: match
seed: 1
game: { rules: blokus }
agents:
  search: { use: mcts-max-n, simulations: 100 }
  largest: { use: greedy }
graph:
  match: { use: arena, agents: [search, largest], seats: one-vs-rest, games: 24 }
`;

const pairs = ["AI1-AI2", "AI1-AI3", "AI2-AI3", "AI1-ISMCTS", "AI2-ISMCTS", "AI3-ISMCTS"];

const cases: readonly Case[] = [
  {
    name: "quickstart",
    file: "quickstart.yaml",
    set: [
      "graph.learn.games=60",
      "graph.learn.every=20",
      "graph.learn.record=1",
      "graph.curve.games=20",
      "graph.gain.games=4",
    ],
  },
  {
    name: "tic-tac-toe-zero",
    file: "tic-tac-toe-zero.yaml",
    set: [
      "graph.games.games=120",
      "graph.games.generation=40",
      "graph.weights.steps=10",
      "graph.against-uct.every=1",
      "graph.against-uct.games=20",
    ],
  },
  { name: "blokus-match", file: { yaml: match }, set: [] },
  {
    name: "blokuszero-match",
    file: "blokuszero-match.yaml",
    set: [
      "graph.match.games=4",
      "graph.match.analyse=1",
      "graph.rollouts.games=8",
      "graph.untrained.games=4",
      "graph.net-alone.games=4",
      "graph.policy.games=2",
      ...["zero", "untrained", "net-alone", "mcts-max-n", "mcts-200", "mcts-400"].map(
        (agent) => `agents.${agent}.simulations=32`,
      ),
    ],
  },
  {
    name: "daihinmin-grouping",
    file: "daihinmin-grouping.yaml",
    set: [
      ...pairs.map((pair) => `graph.${pair}.games=20`),
      ...["AI1", "AI2", "AI3", "ISMCTS"].map((agent) => `agents.${agent}.simulations=50`),
    ],
  },
  {
    name: "duo-td-laptop",
    file: "duo-td-laptop.yaml",
    set: [
      "agents.opener.simulations=200",
      "agents.mcts.simulations=50",
      "graph.openings.openings=20",
      ...["uct", "random", "epsilon"].flatMap((learner) => [
        `graph.learn-${learner}.games=40`,
        `graph.learn-${learner}.every=20`,
        `graph.learn-${learner}.record=1`,
      ]),
      "graph.learned.games=24",
      "graph.against-greedy-size.games=24",
      "graph.against-mcts.games=12",
    ],
  },
  {
    name: "daihinmin-policy",
    file: "daihinmin-policy.yaml",
    set: ["graph.learn.games=80", "graph.learn.every=40", "graph.learn.record=1", "graph.alone.games=40"],
  },
];

/** A run that is interrupted half way; its nets value positions by the win share. */
const interrupted: Case = {
  name: "interrupted",
  file: "tic-tac-toe-zero.yaml",
  set: [
    "graph.games.games=1200",
    "graph.games.generation=40",
    "graph.weights.steps=20",
    "graph.against-uct.every=10",
    "graph.against-uct.games=20",
  ],
};

const { positionals, values: flags } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string" }, keep: { type: "string" } },
});
const [before, after = resolve(import.meta.dirname, "../..")] = positionals.map((path) => resolve(path));
if (before === undefined || !existsSync(join(before, "bin/ludoflow.js"))) {
  process.stderr.write(
    "usage: npm run compare -- BEFORE [AFTER] [--only NAME] [--keep FOLDER]; BEFORE is the folder of a checkout\n",
  );
  process.exit(2);
}
const scratch =
  flags.keep === undefined ? mkdtempSync(join(tmpdir(), "ludoflow-compare-")) : resolve(flags.keep);
mkdirSync(scratch, { recursive: true });

function ludoflow(
  checkout: string,
  ...args: readonly string[]
): { code: number; out: string; error: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(checkout, "bin/ludoflow.js"), ...args],
    {
      cwd: scratch,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    },
  );
  return { code: status ?? 1, out: stdout, error: stderr };
}

function experimentOf(checkout: string, { file, name }: Case): string {
  if (typeof file === "string") return join(checkout, "experiments", file);
  const path = join(scratch, `${name}.yaml`);
  writeFileSync(path, file.yaml);
  return path;
}

const settingsOf = ({ set }: Case) => set.flatMap((change) => ["--set", change]);

function run(checkout: string, which: "before" | "after", each: Case): string {
  const folder = join(scratch, which, each.name);
  rmSync(folder, { recursive: true, force: true });
  const { code, error } = ludoflow(
    checkout,
    "run",
    experimentOf(checkout, each),
    ...settingsOf(each),
    "--out",
    folder,
  );
  if (code !== 0) throw new Error(`${each.name} has failed in ${checkout}:\n${error}`);
  return folder;
}

let failures = 0;
const rows: string[][] = [];
const roundedRows: string[][] = [];
function row(name: string, found: Found): void {
  const { games, plies, values, tensors, numbers, difference, rounded } = found;
  if (difference !== undefined) failures++;
  rows.push([
    name,
    ...[games, plies, values, tensors, numbers].map((count) => count.toLocaleString("en")),
    difference ?? (rounded === undefined ? "the same" : `arithmetic ${rounded.arithmetics.join(" and ")}`),
  ]);
  if (rounded === undefined) return;
  const shown = (distance: number) => (distance === 0 ? "0" : distance.toExponential(1));
  roundedRows.push([
    name,
    `${rounded.identical} of ${games}`,
    `${rounded.sameMoves} of ${games}`,
    shown(rounded.farthestUnlearned),
    shown(rounded.farthest),
    rounded.weights ?? "0",
    rounded.otherMove ?? "none",
  ]);
}

/** The checks that have no games of their own to compare: what was done, and what came of it. */
const checks: string[][] = [];
function check(what: string, problem: string | undefined): void {
  if (problem !== undefined) failures++;
  checks.push([what, problem ?? "yes"]);
}

function opened(each: Case, folder: string): void {
  const stages = existsSync(join(folder, "games"))
    ? readdirSync(join(folder, "games")).filter((name) => name.endsWith(".games"))
    : [];
  const problems: string[] = [];
  for (const file of stages) {
    const stage = file.slice(0, -".games".length);
    const reader = new RecordLogReader(join(folder, "games", file));
    const numbers =
      reader.records === 0 ? [] : [decodeGameRecord(reader.read(reader.records - 1), file).game];
    reader.close();
    for (const number of numbers) {
      const { code, out, error } = ludoflow(
        after,
        "replay",
        folder,
        "--stage",
        stage,
        "--game",
        String(number),
      );
      // A run of another arithmetic is followed: the replay says where it would depart.
      if (code !== 0 || !/every move, value and draw is the same|follows the record/.test(out))
        problems.push(`${stage} game ${number}: ${out}${error}`.trim());
    }
  }
  check(
    `${each.name}: one game of each of ${stages.length} stages replays`,
    problems.length === 0 ? undefined : problems.join("; "),
  );
  const report = ludoflow(after, "report", folder);
  check(`${each.name}: its report is written again`, report.code === 0 ? undefined : report.error);
}

/** Runs with BEFORE up to its first checkpoint, interrupts it, and goes on with AFTER. */
async function resumed(): Promise<void> {
  // What nets value is called otherwise in earlier checkouts: the run must be resumed all the same.
  const schema = readFileSync(join(before!, "schemas/experiment.schema.json"), "utf8");
  const values = schema.includes('"win-share"') ? "win-share" : "outcome";
  const started = { ...interrupted, set: [...interrupted.set, `nets.zero.values=${values}`] };
  const whole = run(before!, "before", started);
  const folder = join(scratch, "before", "resumed");
  rmSync(folder, { recursive: true, force: true });
  const child = spawn(
    process.execPath,
    [
      join(before!, "bin/ludoflow.js"),
      "run",
      experimentOf(before!, started),
      ...settingsOf(started),
      "--out",
      folder,
    ],
    { cwd: scratch, stdio: "ignore" },
  );
  const ended = new Promise<number | null>((done) => child.on("exit", done));
  const saved = join(folder, "checkpoints/zero");
  while (
    child.exitCode === null &&
    !(existsSync(saved) && readdirSync(saved).some((name) => /^\d+$/.test(name) && Number(name) > 0))
  )
    await new Promise((done) => setTimeout(done, 20));
  child.kill("SIGINT");
  const code = await ended;
  if (code !== 130)
    return check(
      "a run interrupted in BEFORE goes on in AFTER",
      `BEFORE ended with ${code}, not interrupted`,
    );
  const { code: resumedCode, error } = ludoflow(after, "resume", folder, "--as-started");
  check("a run interrupted in BEFORE goes on in AFTER", resumedCode === 0 ? undefined : error);
  if (resumedCode === 0) row("interrupted, then resumed", compareRuns(whole, folder));
}

/** The nets that BEFORE has committed play the same games in AFTER. */
function committedNets(): void {
  for (const name of readdirSync(join(before!, "experiments"))) {
    const net = join(before!, "experiments", name);
    if (!existsSync(join(net, "checkpoint.json"))) continue;
    const { net: config } = JSON.parse(readFileSync(join(net, "checkpoint.json"), "utf8")) as {
      net: { use: string };
    };
    const agent = config.use === "linear-policy" ? "{ use: preferred }" : "{ use: greedy }";
    const [one, other] = [before!, after].map((checkout) =>
      ludoflow(checkout, "play", net, "--agent", agent, "--games", "2", "--json"),
    );
    const problem =
      one!.code !== other!.code ? other!.error : one!.out === other!.out ? undefined : "the games differ";
    // Nets that are computed may play otherwise: that is said, and is no failure.
    if (problem === "the games differ" && roundedRows.length > 0 && config.use !== "linear-policy")
      checks.push([`${name}: two games of the committed net are the same`, "they differ, as they may"]);
    else check(`${name}: two games of the committed net are the same`, problem);
  }
}

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const all = [head, ...lines];
  const widths = head.map((_, column) => Math.max(...all.map((cells) => cells[column]!.length)));
  return all
    .map((cells) =>
      cells
        .map((cell, i) =>
          i === 0 || i === cells.length - 1 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

const wanted = cases.filter(({ name }) => flags.only === undefined || name === flags.only);
for (const each of wanted) {
  process.stderr.write(`${each.name} ...\n`);
  const folders = [run(before, "before", each), run(after, "after", each)] as const;
  row(each.name, compareRuns(...folders));
  opened(each, folders[0]);
}
if (flags.only === undefined || flags.only === interrupted.name) {
  process.stderr.write("a run that BEFORE began ...\n");
  await resumed();
}
if (flags.only === undefined) {
  process.stderr.write("nets that BEFORE has committed ...\n");
  committedNets();
}
process.stdout.write(
  `${table(["experiment", "games", "plies", "values", "tensors", "numbers", "before and after"], rows)}\n\n`,
);
if (roundedRows.length > 0)
  process.stdout.write(
    `where the two round differently:\n${table(
      [
        "experiment",
        "identical",
        "same moves",
        "values unlearned",
        "values",
        "first weights",
        "first other move",
      ],
      roundedRows,
    )}\n\n`,
  );
process.stdout.write(`${table(["what BEFORE has made, opened by AFTER", "as it should be"], checks)}\n`);
if (flags.keep === undefined) rmSync(scratch, { recursive: true, force: true });
process.exitCode = failures === 0 ? 0 : 1;
