import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { readMetrics } from "../../src/events/metrics-file.ts";
import { metricsPath } from "../../src/graph/folder/run-folder.ts";
import { games } from "../../src/games/registry.ts";
import { operators, services } from "../../src/operators/registry.ts";
import { resultsOf, startRun, writeExperiment } from "../graph/tiny-run.ts";
import { writeArchive } from "../trust/operators/go-archive.ts";
import { filesIn } from "./files-in.ts";

/** A short run with some of the stages, for tests that break it again and again. */
export interface StageRun {
  readonly name: string;
  /** The experiment; `FOLDER` stands for the folder of its inputs. */
  readonly experiment: string;
}

const runs: readonly StageRun[] = [
  {
    name: "zero",
    experiment: `
seed: 1
workers: 1
compute: { threads: 1 }
game: { rules: tic-tac-toe }
nets: { zero: { use: mlp, hidden: [4], policy: true, values: win-loss } }
agents:
  learner: { use: puct-max-n, net: zero, simulations: 4 }
  random: { use: random }
graph:
  evaluator: { use: batch-evaluator, net: zero }
  games: { use: self-play, agent: learner, games: 16, generation: 4, inFlight: 2, examples: { use: alphazero } }
  replay: { use: replay-buffer, from: games, games: 8 }
  weights: { use: trainer, from: replay, net: zero, batch: 8, steps: 2, rate: 0.1, loss: { use: alphazero } }
  saved: { use: checkpoint, from: weights, every: 2, keep: 0 }
  curve: { use: arena, after: weights, every: 4, agents: [learner, random], games: 4, analyse: 1, inFlight: 2 }
  suite: { use: test-suite, after: weights, every: 4, file: FOLDER/suite.csv, agents: [learner, random] }
  policy: { use: policy-statistics, after: weights, every: 4, agent: learner, opponent: random, games: 2, plies: 1, tops: [1], inFlight: 2 }
`,
  },
  {
    name: "tables",
    experiment: `
seed: 2
workers: 1
game: { rules: tic-tac-toe }
nets: { linear: { use: linear } }
agents:
  opener: { use: uct, simulations: 8 }
  greedy: { use: greedy, net: linear }
graph:
  book: { use: uct-openings, agent: opener, openings: 6, plies: 2 }
  learn: { use: td-learner, net: linear, openings: book, exploration: { use: uct-opening }, games: 40, every: 10, lambda: 0.8, step: td, rate: 0.01, record: 5 }
  saved: { use: checkpoint, from: learn, keep: 0 }
  match: { use: arena, agents: [greedy, opener], games: 4, inFlight: 2 }
`,
  },
  {
    name: "tuples",
    experiment: `
seed: 7
workers: 1
game: { rules: 2048, rows: 2, columns: 2 }
nets: { value: { use: n-tuple, tuples: board, stages: [16] } }
agents: { greedy: { use: greedy, net: value } }
graph:
  learn: { use: td-learner, net: value, games: 60, every: 15, lambda: 0.5, step: tc, record: 5 }
  saved: { use: checkpoint, from: learn, keep: 0 }
  curve: { use: arena, after: learn, agents: [greedy], games: 4, inFlight: 2 }
`,
  },
  {
    name: "policies",
    experiment: `
seed: 3
workers: 1
game: { rules: daihinmin }
nets: { playouts: { use: linear-policy } }
agents: { search: { use: so-ismcts, net: playouts, epsilon: 0, simulations: 2 } }
graph:
  learn: { use: policy-gradient, net: playouts, games: 8, every: 2, replays: 2, record: 3 }
  saved: { use: checkpoint, from: learn, keep: 0 }
`,
  },
  {
    name: "values",
    experiment: `
seed: 4
workers: 1
compute: { threads: 1 }
game: { rules: tic-tac-toe }
nets:
  policy: { use: mlp, hidden: [4], policy: true }
  value: { use: mlp, hidden: [4], values: win-share }
agents:
  sampler: { use: policy, net: policy }
  uniform: { use: random }
graph:
  learn: { use: reinforcement, net: policy, agent: sampler, games: 4, steps: 4, every: 2, rate: 0.1, inFlight: 2 }
  saved-policy: { use: checkpoint, from: learn, every: 2, keep: 0 }
  games: { use: value-games, first: uniform, then: sampler, games: 16, generation: 8, longest: 9, heldOut: 0.25, values: win-share, inFlight: 2 }
  replay: { use: replay-buffer, from: games, games: 16 }
  value: { use: trainer, from: replay, net: value, batch: 8, steps: 2, rate: 0.01 }
  saved: { use: checkpoint, from: value, keep: 0 }
  error: { use: value-error, games: games, nets: [value], values: win-share, rollouts: [{ agent: uniform, count: 2 }], width: 3, inFlight: 2 }
`,
  },
  {
    name: "recorded",
    experiment: `
seed: 5
workers: 1
compute: { threads: 1 }
game: { rules: go, size: 5, komi: 0 }
nets: { policy: { use: linear-policy } }
graph:
  records: { use: sgf, sources: [FOLDER/archive], validation: 0.2, test: 0.1 }
  learned: { use: supervised, from: records, net: policy, batch: 8, steps: 6, every: 2, rate: 0.1 }
  saved: { use: checkpoint, from: learned, keep: 0 }
  curve: { use: policy-accuracy, from: records, after: learned, policies: [{ net: policy }], positions: 20 }
`,
  },
  // It reads what an experiment can name: weights, a model, a database of openings and a book. Runs above have made them.
  {
    name: "given",
    experiment: `
seed: 8
workers: 1
compute: { threads: 1 }
game: { rules: tic-tac-toe }
nets:
  zero: { use: mlp, hidden: [4], policy: true, values: win-loss, weights: FOLDER/start }
  model: { use: onnx, file: FOLDER/model.onnx, layout: nhwc, outputs: { value: value, policy: policy }, values: win-loss }
  linear: { use: linear }
agents:
  learner: { use: puct-max-n, net: zero, simulations: 4 }
  model: { use: puct-max-n, net: model, simulations: 4 }
  opener: { use: uct, simulations: 8 }
graph:
  book: { use: uct-openings, agent: opener, openings: 6, plies: 2, file: FOLDER/openings.json }
  learn: { use: td-learner, net: linear, openings: book, exploration: { use: uct-opening }, games: 20, every: 10, lambda: 0.8, step: td, rate: 0.01 }
  kept: { use: checkpoint, from: learn, keep: 0 }
  games: { use: self-play, agent: learner, games: 8, generation: 4, inFlight: 2, examples: { use: alphazero } }
  replay: { use: replay-buffer, from: games, games: 8 }
  weights: { use: trainer, from: replay, net: zero, batch: 8, steps: 2, rate: 0.1, loss: { use: alphazero } }
  saved: { use: checkpoint, from: weights, keep: 0 }
  match: { use: arena, agents: [learner, model], games: 4, inFlight: 2, openings: { book: FOLDER/openings.json } }
  curve: { use: arena, after: weights, agents: [learner, model], games: 4, inFlight: 2, openings: { book: FOLDER/openings.txt } }
`,
  },
];

/** A short match of random players for each game of the registry, with its usual options. */
function gameRuns(): StageRun[] {
  return games.map(({ name }) => ({
    name: `game-${name}`,
    experiment: `
seed: 6
workers: 1
game: { rules: ${name} }
agents: { uniform: { use: random } }
graph: { match: { use: arena, agents: [uniform], games: 4, inFlight: 2 } }
`,
  }));
}

/** Files that experiments can name, by their paths, with their bytes. */
let given: Promise<ReadonlyMap<string, Uint8Array>> | undefined;

async function givenFiles(): Promise<ReadonlyMap<string, Uint8Array>> {
  const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
  try {
    const made = async (use: string) => {
      const run = runWith(use);
      const folder = join(scratch, `${run.name}-run`);
      const outcome = await startRun(await writeStageRun(run, join(scratch, run.name)), folder);
      if (outcome.outcome !== "finished") throw new Error(`the run ${run.name} has ${outcome.outcome}`);
      return folder;
    };
    const net = join(await made("trainer"), "checkpoints/zero");
    const checkpoint = join(net, readdirSync(net).toSorted().at(-1)!);
    const book = join(await made("uct-openings"), "openings/book.json");
    return new Map([
      ...filesIn(checkpoint).map(
        (file) => [join("start", file), readFileSync(join(checkpoint, file))] as const,
      ),
      ["model.onnx", readFileSync(join(checkpoint, "inference.onnx"))],
      ["openings.json", readFileSync(book)],
      ["openings.txt", Buffer.from("a3\nb2 c1 # the middle\n")],
    ]);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Writes what an experiment can name into a folder. */
async function writeGiven(folder: string): Promise<void> {
  const files = await (given ??= givenFiles());
  for (const [file, bytes] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), bytes);
  }
}

/** The short run with a stage or service of the registry. */
export function runWith(use: string): StageRun {
  const found = runs.find(({ experiment }) => usesOf(experiment).includes(use));
  if (found === undefined)
    throw new Error(
      `no run in ${import.meta.filename} has the stage ${use}: add it, so that its faults are tried`,
    );
  return found;
}

/** The short runs, which have all stages, services and games of the registries. */
export function allRuns(): StageRun[] {
  return [...new Set([...allStages().map(runWith), ...runs]), ...gameRuns()];
}

/** The names of all stages and services that an experiment can have. */
export function allStages(): string[] {
  return [...operators, ...services].map(({ use }) => use);
}

/** Writes the experiment of a run, and what it reads, into a folder; returns the path of the experiment. */
export async function writeStageRun({ name, experiment }: StageRun, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "suite.csv"), "position,moves\n3/x1o/x2 o,a3\n1xx/3/o2 o,a3\n");
  writeArchive(join(folder, "archive"));
  if (experiment.includes("FOLDER/model.onnx")) await writeGiven(folder);
  return writeExperiment(folder, `name: ${name}\n${experiment.replaceAll("FOLDER", folder)}`, `${name}.yaml`);
}

/** What a run has found out: the checksums of its files, and its facts without moments and durations. */
export function foundBy(folder: string): unknown {
  const told = ["accuracy", "value-errors", "suite", "policy-statistics", "match"];
  const facts = readMetrics(metricsPath(folder)).filter(({ type }) => told.includes(type));
  // A resumed part may tell again what the part before has told.
  const lines = new Set(
    facts.map((fact) => JSON.stringify(fact, (key, value: unknown) => (timed(key) ? 0 : value))),
  );
  return { ...resultsOf(folder), facts: [...lines].toSorted() };
}

/** Whether a key of an event tells a moment or a duration. */
function timed(key: string): boolean {
  return ["seq", "time", "elapsed", "crc", "seconds", "efforts", "milliseconds"].includes(key);
}

function usesOf(experiment: string): string[] {
  const { graph } = parse(experiment) as { graph: Record<string, { use: string }> };
  return Object.values(graph).map(({ use }) => use);
}
