import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { meanEstimate } from "../src/stats/intervals.ts";
import { processorMs } from "./in-turn.ts";
import { usual } from "./learning.ts";
import { type BenchReport, type BenchRow, compared } from "./report.ts";
import { run, winShare } from "./run.ts";

const SEEDS = [1, 2, 3];
/** Times of the clock at which the strength is measured, in seconds from the start of a run. The last one ends it. */
const AT_SECONDS = [50, 100, 150];
/** More generations than the time allows. */
const ENDLESS = 10_000;

type Schedule = "synchronous" | "overlapped";

/** An experiment that learns in minutes, without its stage of self-play and its name. */
interface Case {
  readonly name: string;
  readonly game: object;
  readonly net: object;
  readonly learner: object;
  /** Agents without a net that self-play names. */
  readonly teachers: Readonly<Record<string, object>>;
  readonly games: { readonly generation: number; readonly [setting: string]: unknown };
  readonly replay: object;
  readonly trainer: { readonly steps: number; readonly [setting: string]: unknown };
  /** How the learned net plays in the match, and the fixed opponent, whose strength is that of no run. */
  readonly player: object;
  readonly opponent: object;
  readonly match: object;
}

const cases: readonly Case[] = [
  {
    name: "tic-tac-toe",
    game: { rules: "tic-tac-toe" },
    net: { use: "residual", filters: 16, blocks: 2 },
    learner: {
      use: "puct-max-n",
      simulations: 25,
      noise: { epsilon: 0.25, alpha: 0.6 },
      temperature: [{ value: 1 }],
    },
    teachers: {},
    games: { generation: 200, examples: { use: "td", lambda: 1 } },
    replay: { capacity: 10_000 },
    trainer: {
      batch: 64,
      steps: 100,
      rate: [{ until: 800, value: 0.01 }, { value: 0.001 }],
      optimiser: { use: "sgd", momentum: 0.9, weightDecay: 0.0001 },
      loss: { use: "alphazero" },
      symmetries: true,
    },
    player: { use: "puct-max-n", simulations: 25 },
    opponent: { use: "uct", simulations: 100 },
    match: { games: 400 },
  },
  {
    name: "blokus-duo",
    game: { rules: "blokus-duo" },
    net: usual.net,
    learner: usual.search,
    teachers: { teacher: { use: "mcts-max-n", simulations: 100, epsilon: 0.05 } },
    games: { generation: 30, examples: usual.examples, ...usual.games },
    replay: usual.replay,
    trainer: {
      batch: 32,
      steps: 30,
      rate: 0.001,
      optimiser: { use: "adam" },
      loss: usual.loss,
      ...usual.trainer,
    },
    player: { use: "gumbel", simulations: 16, considered: 8, temperature: [] },
    opponent: { use: "mcts-max-n", simulations: 100, epsilon: 0.05 },
    match: { games: 60, openings: { plies: 4 } },
  },
];

/** The state of a run at one of the times. */
interface Moment {
  readonly games: number;
  readonly steps: number;
  readonly processorSeconds: number;
  readonly score: number;
}

/**
 * `bench schedule`: what `schedule: overlapped` gains. Each experiment learns from nothing under both schedules, by turns,
 * for the same time of the clock and from the same seeds. At several times the weights last saved play a match against a
 * fixed opponent. The matches follow the runs, so the times are those of learning alone. The intervals are Student's over
 * seeds.
 */
export async function benchSchedule({ only = "" }: { readonly only?: string } = {}): Promise<BenchReport> {
  const folder = mkdtempSync(join(tmpdir(), "ludoflow-bench-"));
  try {
    const rows: BenchRow[] = [];
    for (const each of cases.filter(({ name }) => name.includes(only))) {
      const found: Record<Schedule, Moment[][]> = { synchronous: [], overlapped: [] };
      for (const [i, seed] of SEEDS.entries()) {
        const order: Schedule[] = ["synchronous", "overlapped"];
        for (const schedule of i % 2 === 0 ? order : order.toReversed()) {
          const own = join(folder, `${each.name}-${schedule}-${seed}`);
          const moments = await learn(each, schedule, seed, own);
          found[schedule].push(moments);
          const { games, score } = moments.at(-1)!;
          process.stderr.write(
            `${each.name}, seed ${seed}, ${schedule}: ${games} games, score ${score.toFixed(3)}\n`,
          );
        }
      }
      for (const [time, seconds] of AT_SECONDS.entries())
        rows.push(
          ...rowsOf(
            `${each.name}, ${seconds} s`,
            found.overlapped.map((moments) => moments[time]!),
            found.synchronous.map((moments) => moments[time]!),
          ),
        );
    }
    return { bench: "schedule", rows };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowsOf(name: string, overlapped: readonly Moment[], synchronous: readonly Moment[]): BenchRow[] {
  const row = (metric: string, unit: string, of: (moment: Moment) => number): BenchRow => {
    const { value, interval } = meanEstimate(overlapped.map(of));
    return compared(
      { case: name, metric: `overlapped, ${metric}`, value, interval, unit },
      { name: "synchronous", value: meanEstimate(synchronous.map(of)).value },
    );
  };
  const gains = overlapped.map(({ score }, i) => score - synchronous[i]!.score);
  const { value, interval } = meanEstimate(gains);
  return [
    row("games learned from", "games", ({ games }) => games),
    row("training", "steps", ({ steps }) => steps),
    row("processor time", "s", ({ processorSeconds }) => processorSeconds),
    row("score against a fixed search", "of 1", ({ score }) => score),
    { case: name, metric: "gain in score, seed by seed", value, interval, unit: "of 1" },
  ];
}

/** Learns until the last time, and then has the weights of each time play their match. */
async function learn(each: Case, schedule: Schedule, seed: number, folder: string): Promise<Moment[]> {
  const experiment = {
    name: "bench-schedule",
    seed,
    schedule,
    game: each.game,
    nets: { zero: each.net },
    agents: { learner: { net: "zero", ...each.learner }, ...each.teachers },
    graph: {
      games: {
        use: "self-play",
        agent: "learner",
        games: ENDLESS * each.games.generation,
        ...each.games,
      },
      replay: { use: "replay-buffer", from: "games", ...each.replay },
      weights: { use: "trainer", from: "replay", net: "zero", ...each.trainer },
      saved: { use: "checkpoint", from: "weights", keep: 0 },
    },
  };
  const reached: (Omit<Moment, "score"> & { readonly weights: string })[] = [];
  let [begun, processor] = [NaN, NaN];
  let weights: string | undefined;
  let steps = 0;
  await run(experiment, folder, (event, started) => {
    if (event.type === "run-started") [begun, processor] = [performance.now(), processorMs()];
    // What is saved after the end is the interruption's, not the learner's.
    if (reached.length === AT_SECONDS.length) return;
    if (event.type === "checkpoint") [weights, steps] = [join(folder, event.path), event.learned];
    const seconds = (performance.now() - begun) / 1000;
    while (seconds >= AT_SECONDS[reached.length]!) {
      if (weights === undefined) return started.stop();
      reached.push({
        weights,
        steps,
        games: (steps / each.trainer.steps) * each.games.generation,
        processorSeconds: (processorMs() - processor) / 1000,
      });
    }
    if (reached.length === AT_SECONDS.length) started.stop();
  });
  if (reached.length < AT_SECONDS.length) throw new Error(`nothing was saved within ${AT_SECONDS[0]} s`);
  const moments: Moment[] = [];
  for (const [i, { weights: at, ...moment }] of reached.entries())
    moments.push({ ...moment, score: await match(each, at, join(folder, `match-${i}`)) });
  return moments;
}

/** The win share of a learned net against the fixed opponent. */
function match(each: Case, weights: string, folder: string): Promise<number> {
  return winShare(
    {
      name: "bench-schedule-match",
      seed: 1,
      game: each.game,
      nets: { zero: { ...each.net, weights } },
      agents: { player: { net: "zero", ...each.player }, opponent: each.opponent },
      graph: { match: { use: "arena", agents: ["player", "opponent"], ...each.match } },
    },
    "player",
    folder,
  );
}
