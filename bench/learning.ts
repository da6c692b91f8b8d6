import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listCheckpoints } from "../src/operators/run/weights/checkpoint-files.ts";
import { RunFiles } from "../src/operators/run/run-files.ts";
import { processorMs } from "./in-turn.ts";
import { meanEstimate } from "../src/stats/intervals.ts";
import { type BenchReport, type BenchRow, compared, median } from "./report.ts";
import { run, winShare } from "./run.ts";

/** Processor time for which each variant learns from nothing, for each seed, in seconds over all threads. */
const LEARN_SECONDS = 60;
/** Number of seeds for each variant: two seeds of equal settings differ by more than most options do. */
const SEEDS = [1, 2, 3, 4];
/** Games of a variant against the usual settings for each seed: a standard error of 6 %. */
const GAMES = 60;
/** Games between trainings. */
const GENERATION = 30;

/** The settings of an experiment that a variant may change. */
interface Settings {
  readonly games: Readonly<Record<string, unknown>>;
  readonly net: Readonly<Record<string, unknown>>;
  readonly search: Readonly<Record<string, unknown>>;
  readonly examples: Readonly<Record<string, unknown>>;
  readonly replay: Readonly<Record<string, unknown>>;
  readonly trainer: Readonly<Record<string, unknown>>;
  readonly loss: Readonly<Record<string, unknown>>;
}

/** Options for faster learning all together, values of win or loss, and a net for the smaller board of Blokus Duo. */
export const usual: Settings = {
  games: { warmStart: { agent: "teacher", games: 60 } },
  net: {
    use: "residual",
    filters: 16,
    blocks: 3,
    valueUnits: 32,
    policyHead: "convolutional",
    globalPooling: 4,
    score: true,
    ownership: true,
    zeroHeads: true,
    planes: "compact",
    values: "win-loss",
  },
  search: { use: "gumbel", simulations: 16, considered: 8, cScale: 0.5 },
  examples: { use: "alphazero", resultWeight: 0.75 },
  replay: { use: "replay-buffer", games: 300, growth: { scale: 0.5, exponent: 0.75 } },
  trainer: { averaging: 0.99, symmetries: true },
  loss: { use: "alphazero", legalOnly: true, scoreWeight: 0.25, ownershipWeight: 0.25 },
};

const puct = {
  use: "puct-max-n",
  noise: { epsilon: 0.25, alpha: 0.1 },
  temperature: [{ until: 10, value: 1 }, { value: 0 }],
};

/** The variants: each changes one of the usual settings. */
const variants: Readonly<Record<string, Partial<Settings>>> = {
  "the same again, from other seeds": {},
  "no warm start": { games: { warmStart: undefined } },
  "last layers drawn, not zero": { net: { zeroHeads: false } },
  "PUCT, 16 simulations": { search: { ...puct, simulations: 16 } },
  "PUCT, 64 simulations": { search: { ...puct, simulations: 64 } },
  "PUCT, playout cap: a quarter at 64, else 8": {
    search: { ...puct, simulations: 64, playoutCap: { fraction: 0.25, simulations: 8 } },
  },
  "PUCT, 64 simulations, forced playouts": { search: { ...puct, simulations: 64, forcedPlayouts: 2 } },
  "target over the moves tried": { search: { ...usual.search, target: "tried" } },
  "target over the moves tried, unweighted": { search: { ...usual.search, target: "tried-unweighted" } },
  "considered 16": { search: { ...usual.search, considered: 16 } },
  "Gumbel, 32 simulations": { search: { ...usual.search, simulations: 32 } },
  "Gumbel, playout cap: a quarter at 32, else 8": {
    search: { ...usual.search, simulations: 32, playoutCap: { fraction: 0.25, simulations: 8 } },
  },
  "Gumbel, leaves valued half by a playout": {
    search: { ...usual.search, playouts: { weight: 0.5, epsilon: 0.05 } },
  },
  "dense policy head": { net: { policyHead: "dense" } },
  "no global pooling": { net: { globalPooling: 0 } },
  "no scores, no owners of cells": { net: { score: false, ownership: false } },
  "opponent's reply as well": { net: { reply: true } },
  "planes of the paper": { net: { planes: "history" } },
  "planes of what could be laid now": { net: { planes: "mobility" } },
  "policy loss over all actions": { loss: { legalOnly: false } },
  "no weight averaging": { trainer: { averaging: null } },
  "no symmetries": { trainer: { symmetries: false } },
  "results alone as values": { examples: { resultWeight: 1 } },
  "a window that does not grow": { replay: { growth: undefined, games: 300 } },
};

/**
 * `bench learning`: the options for faster learning, removed or added one at a time. Each variant learns Blokus Duo from
 * nothing for a fixed processor time, once for each seed. Then it plays matches at equal simulations against the usual
 * settings, learned from other seeds. The interval is Student's over the matches, so that it holds for other seeds too.
 */
export async function benchLearning({ only = "" }: { readonly only?: string } = {}): Promise<BenchReport> {
  const folder = mkdtempSync(join(tmpdir(), "ludoflow-bench-"));
  try {
    const texts = only.split(",");
    const names = Object.keys(variants).filter((name) => texts.some((text) => name.includes(text)));
    if (names.length === 0) return { bench: "learning", rows: [] };
    const peers: Learned[] = [];
    for (const seed of SEEDS) peers.push(await learn(usual, seed, join(folder, `usual-${seed}`)));
    const rows: BenchRow[] = [];
    for (const [index, name] of names.entries()) {
      // One variant that learns nothing in its time must not lose an hour of rows.
      const found = await measured(name, 1 + index, peers, folder).catch((error: unknown) => {
        process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
        return [];
      });
      rows.push(...found);
    }
    return { bench: "learning", rows };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Learns a variant from each seed, and plays its matches against the usual settings. */
async function measured(
  name: string,
  number: number,
  peers: readonly Learned[],
  folder: string,
): Promise<BenchRow[]> {
  const settings = changed(variants[name]!);
  const games: number[] = [];
  const scores: number[] = [];
  for (const [i, peer] of peers.entries()) {
    const own = join(folder, `${number}-${i}`);
    const learned = await learn(settings, 1000 * number + SEEDS[i]!, own);
    games.push(learned.games);
    scores.push(await match(settings, learned.weights, peer.weights, `${own}-match`));
    rmSync(own, { recursive: true });
  }
  const { value, interval } = meanEstimate(scores);
  const ends = interval.map((end) => end.toFixed(3)).join(", ");
  process.stderr.write(`${name}: ${value.toFixed(3)} [${ends}], ${median(games)} games\n`);
  return [
    {
      case: name,
      metric: `score after ${LEARN_SECONDS} s of processor time each, ${SEEDS.length} seeds`,
      value,
      interval,
      unit: "of 1",
    },
    compared(
      { case: name, metric: "games learned from", value: median(games), unit: "games" },
      { name: "the usual settings", value: median(peers.map((peer) => peer.games)) },
    ),
  ];
}

function changed(variant: Partial<Settings>): Settings {
  const parts = Object.keys(usual) as (keyof Settings)[];
  return Object.fromEntries(
    // Another search is another agent: none of its settings stay. Of the rest, what is undefined is taken away.
    parts.map((part) => [
      part,
      part === "search" ? (variant.search ?? usual.search) : { ...usual[part], ...variant[part] },
    ]),
  ) as unknown as Settings;
}

interface Learned {
  readonly weights: string;
  readonly games: number;
}

/** Learns until the processor time is spent; the running step is finished and the weights are saved, as after Ctrl-C. */
async function learn(settings: Settings, seed: number, folder: string): Promise<Learned> {
  const experiment = {
    name: "bench-learning",
    seed,
    game: { rules: "blokus-duo" },
    nets: { zero: settings.net },
    agents: {
      learner: { net: "zero", ...settings.search },
      teacher: { use: "mcts-max-n", simulations: 100, epsilon: 0.05 },
    },
    graph: {
      games: {
        use: "self-play",
        agent: "learner",
        // More than the time allows.
        games: 100_000 * GENERATION,
        generation: GENERATION,
        examples: settings.examples,
        ...settings.games,
      },
      replay: { from: "games", ...settings.replay },
      weights: {
        use: "trainer",
        from: "replay",
        net: "zero",
        batch: 32,
        steps: 30,
        rate: 0.001,
        optimiser: { use: "adam" },
        loss: settings.loss,
        ...settings.trainer,
      },
      saved: { use: "checkpoint", from: "weights", keep: 1 },
    },
  };
  let games = 0;
  const begun = processorMs();
  await run(experiment, folder, (event, started) => {
    if (event.type === "progress" && event.stage === "games") games = event.done;
    if (processorMs() - begun >= 1000 * LEARN_SECONDS) started.stop();
  });
  const saved = listCheckpoints(new RunFiles(folder).checkpoints("zero")).at(-1);
  if (saved === undefined) throw new Error(`nothing was learned within ${LEARN_SECONDS} s`);
  return { weights: saved.path, games };
}

/** The win share of a learned variant against the usual settings, both with 16 simulations; a draw counts half. */
async function match(settings: Settings, weights: string, usualWeights: string, folder: string) {
  const player = { use: "gumbel", simulations: 16, considered: 8, temperature: [] };
  return winShare(
    {
      name: "bench-learning-match",
      seed: 1,
      game: { rules: "blokus-duo" },
      nets: {
        variant: { ...settings.net, weights },
        usual: { ...usual.net, weights: usualWeights },
      },
      agents: { variant: { ...player, net: "variant" }, usual: { ...player, net: "usual" } },
      graph: {
        match: { use: "arena", agents: ["variant", "usual"], games: GAMES, openings: { plies: 4 } },
      },
    },
    "variant",
    folder,
  );
}
