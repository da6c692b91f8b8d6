// `npm run progress-accuracy`: how good progress and time left of whole runs are. Runs four experiments three times each, about ten
// minutes on a machine that does nothing else, and prints at 25, 50 and 75% of each run's real time: the bar (to be within 10 points),
// and the time left beside the true one (to be within a factor of 1.5). The runs take 20 s, and games are of unequal length, so
// medians of the three are judged; each is printed. The exit code is 1 if one is not good enough.
// `-- NAME...` runs these alone; `--log FOLDER` keeps the events of each run there; `--replay FILE...` judges such files, or
// recorded tests, in place of runs, by the code of now; with `--idle`, as without other programs on the machine.
// `--thin FOLDER` also writes what is judged there, short enough for a test.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import type { RecordedEvent } from "../src/events/event.ts";
import { isMomentary } from "../src/events/event.ts";
import { isFlow } from "../src/events/flow-event.ts";
import { readMetrics } from "../src/events/metrics-file.ts";
import { metricsPath, openRunFolder } from "../src/graph/folder/run-folder.ts";
import { listenToRun } from "../src/graph/live/listen-to-run.ts";
import { packageRoot } from "../src/package-root.ts";
import { quantile } from "../src/stats/quantiles.ts";
import {
  type Accuracy,
  accuracyAt,
  endOf,
  isAccurate,
  readRecordedRun,
  type RecordedRun,
  recordedRunText,
  replayed,
  type ShownAt,
  shownBy,
  thinned,
  withoutOthers,
} from "../test/graph/cost/recorded-run.ts";

const MATCH = `
name: match
seed: 3
game: { rules: connect-four }
agents:
  stronger: { use: uct, simulations: 1000 }
  weaker: { use: uct, simulations: 300 }
graph:
  match: { use: arena, agents: [stronger, weaker], games: 2500, openings: { plies: 4 } }
`;

/** By name: the experiment, by a name of its own or as text, and its changes. */
const RUNS: Readonly<Record<string, readonly [experiment: string, ...set: string[]]>> = {
  quickstart: ["quickstart"],
  "tic-tac-toe-zero": ["tic-tac-toe-zero"],
  "connect-four-zero": [
    "connect-four-zero",
    "graph.games.games=4000",
    "graph.games.generation=500",
    "graph.games.warmStart.games=1000",
    "graph.replay.games=2000",
    "graph.replay.fill=500",
    "graph.weights.steps=100",
    "graph.suite.positions=150",
    "graph.against-uct.games=60",
  ],
  match: [MATCH],
};

/** Ticks of a recorded run that is short enough for a test. */
const MOST_TICKS = 100;
/** How often each experiment is run. */
const TIMES = 3;
/** The time between two tries to listen to a run that begins, in milliseconds. */
const TRY_MS = 100;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    replay: { type: "boolean" },
    idle: { type: "boolean" },
    log: { type: "string" },
    thin: { type: "string" },
  },
});

/** Runs an experiment, and records all that it reports. */
async function recorded(experiment: string, set: readonly string[]): Promise<RecordedRun> {
  const scratch = mkdtempSync(join(tmpdir(), "ludoflow-progress-"));
  try {
    const folder = join(scratch, "run");
    let file = experiment;
    if (experiment.includes("\n")) writeFileSync((file = join(scratch, "match.yaml")), experiment);
    const child = spawn(
      process.execPath,
      [
        join(packageRoot(), "bin/ludoflow.js"),
        "run",
        file,
        "--out",
        folder,
        ...set.flatMap((each) => ["--set", each]),
      ],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
    let ended = false;
    const exit = new Promise<number | null>((resolve) => child.once("exit", resolve)).finally(
      () => (ended = true),
    );
    const received: RecordedEvent[] = [];
    const listen = () => {
      if (ended) return;
      const again = () => void setTimeout(listen, TRY_MS);
      try {
        listenToRun(folder, (event) => received.push(event), again);
      } catch {
        // It has no folder yet.
        again();
      }
    };
    listen();
    if ((await exit) !== 0) throw new Error(`${file} has failed`);
    const facts = readMetrics(metricsPath(folder)).filter((event) => !isFlow(event) && !isMomentary(event));
    const events = [...facts, ...received].toSorted((a, b) => a.seq! - b.seq!);
    return { experiment: { ...openRunFolder(folder).experiment }, events };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Prints how good what was shown was, and returns it. */
function measured(name: string, shown: readonly ShownAt[], end: number): Accuracy[] {
  console.log(`${name}: ${end.toFixed(0)} s`);
  const all = accuracyAt(shown, end);
  for (const each of all) console.log(`  ${accuracyText(each)}`);
  return all;
}

/** The median of several runs at one share of their time; what one of them did not show is missing. */
function medianOf(runs: readonly Accuracy[]): Accuracy {
  const middle = (numbers: readonly (number | undefined)[]) => {
    const shown = numbers.filter((number) => number !== undefined);
    return shown.length < numbers.length
      ? undefined
      : quantile(
          shown.toSorted((a, b) => a - b),
          0.5,
        );
  };
  const ratio = middle(runs.map(({ left, trueLeft }) => left && left / trueLeft));
  const { share, trueLeft } = runs[0]!;
  return { share, bar: middle(runs.map(({ bar }) => bar)), left: ratio && ratio * trueLeft, trueLeft };
}

function accuracyText(accuracy: Accuracy): string {
  const { bar, left, share, trueLeft } = accuracy;
  const percent = (value: number) => `${(100 * value).toFixed(0)}%`;
  const bars = bar === undefined ? "no bar" : `bar ${percent(bar)}`;
  const times =
    left === undefined
      ? "no time left"
      : `${left.toFixed(0)} s left of ${trueLeft.toFixed(0)} s (${(left / trueLeft).toFixed(2)})`;
  return `at ${percent(share)}: ${bars}, ${times}${isAccurate(accuracy) ? "" : "  <-- beyond the bounds"}`;
}

const good: boolean[] = [];
if (values.replay === true)
  for (const path of positionals) {
    const run = readRecordedRun(path);
    const judgedRun = values.idle === true ? { ...run, events: withoutOthers(run.events) } : run;
    const thin = thinned(judgedRun, MOST_TICKS);
    if (values.thin !== undefined) writeFileSync(join(values.thin, basename(path)), recordedRunText(thin));
    good.push(...measured(basename(path), replayed(judgedRun), endOf(judgedRun)).map(isAccurate));
    if (values.thin !== undefined) measured(`${basename(path)}, thinned`, replayed(thin), endOf(thin));
  }
else
  for (const name of positionals.length === 0 ? Object.keys(RUNS) : positionals) {
    const known = RUNS[name];
    if (known === undefined)
      throw new Error(`there is no run "${name}"; there are ${Object.keys(RUNS).join(", ")}`);
    const [experiment, ...set] = known;
    const runs: Accuracy[][] = [];
    for (let time = 1; time <= TIMES; time++) {
      const run = await recorded(experiment, set);
      if (values.log !== undefined) {
        mkdirSync(values.log, { recursive: true });
        writeFileSync(join(values.log, `${name}-${time}.jsonl`), recordedRunText(run));
      }
      runs.push(measured(`${name}, run ${time}`, shownBy(run.events), endOf(run)));
    }
    console.log(`${name}, medians:`);
    for (const [i] of runs[0]!.entries()) {
      const median = medianOf(runs.map((run) => run[i]!));
      console.log(`  ${accuracyText(median)}`);
      good.push(isAccurate(median));
    }
  }
process.exitCode = good.every(Boolean) ? 0 : 1;
