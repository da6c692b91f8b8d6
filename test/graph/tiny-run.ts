import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EventBus } from "../../src/events/bus.ts";
import type { RunEvent } from "../../src/events/event.ts";
import { readEvents, readState } from "../../src/events/metrics-file.ts";
import { checkGraph } from "../../src/graph/check-graph.ts";
import { checkExperiment, readExperiment } from "../../src/graph/experiment-file.ts";
import { type HostOfRun, runExperiment, type RunOutcome } from "../../src/graph/run-experiment.ts";
import { checkRecordedCheckpoints } from "../../src/graph/folder/recorded-checkpoints.ts";
import { createRunFolder, metricsPath, openRunFolder } from "../../src/graph/folder/run-folder.ts";
import { checkSavedLogs, mendTornLogs } from "../../src/operators/run/saved-logs.ts";
import { StopSignal } from "../../src/operators/run/stop-signal.ts";

/** Self-play, buffer, trainer, checkpoints and matches on the smallest board, with the smallest net: a second or two. */
export const trainingExperiment = `
name: tiny-training
seed: 11
workers: 1
compute: { threads: 1 }
game: { rules: 2048, rows: 2, columns: 2 }
nets:
  value: { use: mlp, hidden: [8], valueActivation: linear, valueScale: 100 }
agents:
  learner: { use: greedy, net: value }
graph:
  games: { use: self-play, agent: learner, games: 60, generation: 10, inFlight: 4, examples: { use: td, lambda: 0.5 } }
  replay: { use: replay-buffer, from: games, capacity: 60 }
  weights: { use: trainer, from: replay, net: value, batch: 16, steps: 12, rate: 0.01, symmetries: true }
  saved: { use: checkpoint, from: weights, keep: 0, every: 2 }
  curve: { use: arena, after: weights, agents: [learner], games: 6, every: 2, inFlight: 4 }
`;

/**
 * AlphaZero on the smallest board: a warm start, whole games as examples, a buffer that is filled first, grows, and is
 * read from disk, playouts at the leaves, and a net that learns all that there is to be learned, averaged.
 */
export const zeroExperiment = `
name: tiny-zero
seed: 14
workers: 1
compute: { threads: 1 }
game: { rules: tic-tac-toe }
nets:
  zero:
    { use: residual, filters: 4, blocks: 2, valueUnits: 8, values: win-loss, policyHead: convolutional, globalPooling: 2, score: true, ownership: true, reply: true, zeroHeads: true }
agents:
  learner:
    { use: gumbel, net: zero, simulations: 6, playouts: { weight: 0.5, epsilon: 0.5 }, playoutCap: { fraction: 0.5, simulations: 3 } }
  teacher: { use: mcts-max-n, simulations: 6, epsilon: 1 }
graph:
  games:
    { use: self-play, agent: learner, games: 40, generation: 8, inFlight: 4, warmStart: { agent: teacher, games: 12 }, examples: { use: alphazero, resultWeight: 0.75 } }
  replay: { use: replay-buffer, from: games, games: 12, fill: 17, growth: {}, memory: 0.001 }
  weights:
    { use: trainer, from: replay, net: zero, batch: 8, steps: 12, rate: 0.01, symmetries: true, averaging: 0.9, loss: { use: alphazero, legalOnly: true } }
  saved: { use: checkpoint, from: weights, keep: 0 }
`;

/** Self-play against a pool of earlier selves, a trainer with averages, and a match, in int8, with several leaves of a game at once. */
export const int8Experiment = `
name: tiny-int8
seed: 41
workers: 1
compute: { threads: 1 }
game: { rules: connect-four }
nets:
  zero: { use: residual, filters: 8, blocks: 1, valueUnits: 8, policyHead: dense, planes: compact, evaluations: int8 }
agents:
  learner: { use: gumbel, net: zero, simulations: 6, leaves: 3 }
  random: { use: random }
graph:
  games: { use: self-play, agent: learner, games: 24, generation: 8, inFlight: 4, pool: { share: 0.5, size: 2, every: 1 }, examples: { use: alphazero } }
  replay: { use: replay-buffer, from: games, games: 24 }
  weights: { use: trainer, from: replay, net: zero, batch: 16, steps: 12, rate: 0.01, averaging: 0.9, loss: { use: alphazero } }
  saved: { use: checkpoint, from: weights, keep: 0 }
  curve: { use: arena, after: weights, agents: [learner, random], games: 2, inFlight: 2 }
`;

/**
 * The stages of experiments/blokuszero.yaml, matches and policy statistics included, on the smallest board; with forced
 * playouts and tree reuse, which it does without.
 */
export const paperExperiment = `
name: tiny-paper
seed: 15
workers: 1
compute: { threads: 1 }
game: { rules: tic-tac-toe }
nets:
  zero: { use: residual, filters: 4, blocks: 1, valueUnits: 8, policyHead: dense, values: win-loss }
agents:
  learner:
    { use: puct-max-n, net: zero, simulations: 6, forcedPlayouts: 2, reuse: true, noise: { epsilon: 0.25, alpha: 0.5 }, temperature: [{ until: 4, value: 1 }, { value: 0 }] }
  player: { use: puct-max-n, net: zero, simulations: 6 }
  mcts: { use: mcts-max-n, simulations: 6, epsilon: 1 }
graph:
  games: { use: self-play, agent: learner, games: 28, generation: 4, inFlight: 4, examples: { use: alphazero, resultWeight: 1 } }
  replay: { use: replay-buffer, from: games, games: 8, fill: 8 }
  weights:
    use: trainer
    from: replay
    net: zero
    batch: 8
    steps: 8
    rate: [{ until: 20, value: 0.01 }, { value: 0.001 }]
    optimiser: { use: sgd, momentum: 0.9, penalty: 0.0001 }
    loss: { use: alphazero }
  saved: { use: checkpoint, from: weights, every: 2, keep: 0 }
  curve:
    { use: arena, after: weights, every: 2, agents: [player, mcts], seats: one-vs-rest, seating: random, games: 4, openings: { plies: 2 }, inFlight: 2 }
  policy: { use: policy-statistics, after: weights, agent: player, opponent: mcts, games: 2, plies: 2, tops: [2, 4] }
`;

/** Two nets that teach each other, each by the games of the other and its values along them. */
export const crossedExperiment = `
name: tiny-crossed
seed: 16
workers: 1
compute: { threads: 1 }
game: { rules: 2048, rows: 2, columns: 2 }
nets:
  one: { use: mlp, hidden: [8], valueActivation: linear, valueScale: 100 }
  two: { use: mlp, hidden: [6], valueActivation: linear, valueScale: 100 }
agents:
  one: { use: mc-softmax, net: one, simulations: 4 }
  two: { use: greedy, net: two }
graph:
  games-one: { use: self-play, agent: one, games: 24, generation: 4, inFlight: 4, examples: { use: td, lambda: 0.5 } }
  games-two: { use: self-play, agent: two, games: 24, generation: 4, inFlight: 4, examples: { use: td, values: net } }
  replay-one: { use: replay-buffer, from: games-one, capacity: 60 }
  replay-two: { use: replay-buffer, from: games-two, capacity: 60 }
  learn-two: { use: trainer, from: replay-one, net: two, batch: 8, steps: 6, rate: 0.01 }
  learn-one: { use: trainer, from: replay-two, net: one, batch: 8, steps: 6, rate: 0.01 }
  saved-one: { use: checkpoint, from: learn-one, keep: 0 }
  saved-two: { use: checkpoint, from: learn-two, keep: 0, every: 2 }
`;

/**
 * The stages of tiny-zero with matches, where self-play continues while the net learns. The last round of the curve follows
 * fewer versions than the others, and a match follows all learning.
 */
export const overlappedExperiment = `
name: tiny-overlapped
seed: 17
schedule: overlapped
workers: 1
compute: { threads: 1 }
game: { rules: tic-tac-toe }
nets:
  zero: { use: residual, filters: 4, blocks: 1, valueUnits: 8, values: win-loss }
agents:
  learner:
    { use: gumbel, net: zero, simulations: 6 }
  teacher: { use: mcts-max-n, simulations: 6, epsilon: 1 }
graph:
  games:
    { use: self-play, agent: learner, games: 56, generation: 8, inFlight: 4, warmStart: { agent: teacher, games: 12 }, examples: { use: alphazero } }
  replay: { use: replay-buffer, from: games, games: 20, fill: 12, memory: 0.001 }
  weights: { use: trainer, from: replay, net: zero, batch: 8, steps: 20, rate: 0.01, loss: { use: alphazero } }
  saved: { use: checkpoint, from: weights, keep: 0, every: 2 }
  curve: { use: arena, after: weights, every: 4, agents: [learner, teacher], games: 4, openings: { plies: 2 }, inFlight: 2 }
  match: { use: arena, agents: [learner, teacher], games: 4, inFlight: 2 }
`;

/** Self-play against a pool of earlier selves, more of them than its evaluator holds at once. */
export const poolExperiment = `
name: tiny-pool
seed: 18
workers: 1
compute: { threads: 1 }
game: { rules: tic-tac-toe }
nets:
  zero: { use: residual, filters: 4, blocks: 1, valueUnits: 8, values: win-loss }
agents:
  learner: { use: gumbel, net: zero, simulations: 6 }
graph:
  evaluator: { use: batch-evaluator, net: zero, versions: 3 }
  games:
    { use: self-play, agent: learner, games: 56, generation: 8, inFlight: 6, pool: { share: 0.6, size: 2, every: 2 }, examples: { use: alphazero } }
  replay: { use: replay-buffer, from: games, games: 24 }
  weights: { use: trainer, from: replay, net: zero, batch: 8, steps: 8, rate: 0.01, loss: { use: alphazero } }
  saved: { use: checkpoint, from: weights, keep: 0, every: 3 }
`;

/**
 * Openings of all kinds that need no file, earlier selves, weights by surprise, and values of results, searches and a solver by
 * turns.
 */
export const valuesExperiment = `
name: tiny-values
seed: 23
workers: 1
compute: { threads: 1 }
game: { rules: connect-four, columns: 5, rows: 4 }
nets:
  zero: { use: residual, filters: 4, blocks: 1, valueUnits: 8, reply: true, values: win-loss }
agents:
  learner: { use: puct-max-n, net: zero, simulations: 6, noise: { epsilon: 0.25, alpha: 0.5 }, playoutCap: { fraction: 0.7, simulations: 3 } }
  teacher: { use: mcts-max-n, simulations: 6, epsilon: 1 }
graph:
  games:
    use: self-play
    agent: learner
    games: 40
    generation: 8
    inFlight: 6
    warmStart: { agent: teacher, games: 4 }
    pool: { share: 0.3, size: 2 }
    openings:
      - { share: 0.3, plies: { least: 4, most: 10 } }
      - { share: 0.4, forks: { back: { least: 2, most: 8 } }, plies: 1 }
    examples:
      use: alphazero
      resultWeight: [{ until: 6, value: 1 }, { value: 0.3 }]
      values: { solver: { fromPly: 10 } }
      surprise: 0.5
  replay: { use: replay-buffer, from: games, games: 16, memory: 0.001 }
  weights: { use: trainer, from: replay, net: zero, batch: 8, steps: 8, rate: 0.01, symmetries: true, loss: { use: alphazero } }
  saved: { use: checkpoint, from: weights, keep: 0, every: 2 }
`;

/** Learning that an arena ends after a few of its generations: hardly any gain would be as great as the one it asks for. */
export const endedExperiment = `
name: tiny-ended
seed: 41
workers: 1
compute: { threads: 1 }
game: { rules: tic-tac-toe }
nets:
  zero: { use: residual, filters: 4, blocks: 1, valueUnits: 8, values: win-loss }
agents:
  learner: { use: gumbel, net: zero, simulations: 6 }
graph:
  games: { use: self-play, agent: learner, games: 96, generation: 8, inFlight: 4, examples: { use: alphazero } }
  replay: { use: replay-buffer, from: games, games: 24, fill: 12 }
  weights: { use: trainer, from: replay, net: zero, batch: 8, steps: 8, rate: 0.01, loss: { use: alphazero } }
  saved: { use: checkpoint, from: weights, keep: 0 }
  versions:
    { use: arena, after: saved, every: 2, agents: [learner], earlier: { agent: learner, most: 1 }, until: { gain: 400, versions: 1, alpha: 0.4, beta: 0.4 }, games: 8, openings: { plies: 2 }, inFlight: 2 }
`;

/** A TD learner on tables with its checkpoints and matches. */
export const tablesExperiment = `
name: tiny-tables
seed: 12
workers: 1
game: { rules: 2048, rows: 2, columns: 3 }
nets:
  value: { use: n-tuple, tuples: board }
agents:
  greedy: { use: greedy, net: value }
graph:
  learn: { use: td-learner, net: value, games: 400, every: 100, record: 20, restart: 12 }
  saved: { use: checkpoint, from: learn, keep: 0 }
  curve: { use: arena, after: learn, agents: [greedy], games: 10, inFlight: 2 }
`;

/** Two linear value functions, one on openings by UCT, with a match when both are learned. */
export const linearExperiment = `
name: tiny-linear
seed: 13
workers: 1
game: { rules: tic-tac-toe }
nets:
  opened: { use: linear }
  varied: { use: linear }
agents:
  opener: { use: uct, simulations: 30 }
  opened: { use: greedy, net: opened }
  varied: { use: greedy, net: varied }
graph:
  book: { use: uct-openings, agent: opener, openings: 20, plies: 3 }
  learn:
    { use: td-learner, net: opened, openings: book, exploration: { use: uct-opening }, games: 200, every: 50, lambda: 0.8, step: td, rate: 0.01, decay: 100, record: 20 }
  vary:
    { use: td-learner, net: varied, exploration: { use: epsilon-greedy, epsilon: 0.2 }, games: 300, every: 100, lambda: 0.8, step: td, rate: 0.01, traces: keep, record: 20 }
  saved: { use: checkpoint, from: learn, keep: 0 }
  saved-too: { use: checkpoint, from: vary, keep: 0 }
  match: { use: arena, agents: [opened, varied], games: 20, openings: { plies: 2 }, inFlight: 2 }
`;

/** Writes an experiment file into a folder and returns its path. */
export function writeExperiment(folder: string, text: string, name = "experiment-file.yaml"): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Further settings for a part of a run. */
export interface Watch {
  /** Chooses the play host. */
  readonly hostOf?: HostOfRun;
  /** Called with each event, and the wish to stop. */
  readonly onEvent?: (event: RunEvent, stop: StopSignal) => void;
}

/** Starts a run of an experiment file in this process, in a new folder. */
export async function startRun(
  file: string,
  folder: string,
  set: readonly string[] = [],
  watch: Watch = {},
): Promise<RunOutcome> {
  const read = readExperiment(file, set);
  const graph = checkGraph(read);
  const now = new Date("2026-01-01T00:00:00Z");
  const { release } = createRunFolder(read.experiment, { file, set }, folder, now);
  return followed(graph, folder, watch).finally(release);
}

/** Continues a run in this process, after the checks that `ludoflow resume` makes of its files. */
export async function resumeRun(
  folder: string,
  watch: Watch & { readonly workers?: number } = {},
): Promise<RunOutcome> {
  const { experiment } = openRunFolder(folder);
  checkSavedLogs(folder, { continues: true });
  checkRecordedCheckpoints(folder, readEvents(metricsPath(folder)));
  mendTornLogs(folder);
  const workers = watch.workers === undefined ? {} : { workers: watch.workers };
  const graph = checkGraph(checkExperiment(join(folder, "experiment.yaml"), { ...experiment, ...workers }));
  return followed(graph, folder, watch);
}

async function followed(
  graph: ReturnType<typeof checkGraph>,
  folder: string,
  { hostOf, onEvent }: Watch,
): Promise<RunOutcome> {
  const bus = new EventBus(readState(metricsPath(folder)));
  const stop = new StopSignal();
  const raise = (error: unknown) => {
    throw error;
  };
  // At once, so that a test acts at the moment of the event.
  if (onEvent !== undefined) bus.keep((event) => onEvent(event, stop), raise);
  const outcome = await runExperiment(graph, folder, {
    bus,
    stop,
    ...(hostOf === undefined ? {} : { hostOf }),
  });
  await bus.close();
  return outcome;
}

/** The checksum of every result of a run: games, checkpoints, kept weights, examples. */
export function resultsOf(folder: string): Record<string, string> {
  const results: Record<string, string> = {};
  for (const part of ["games", "checkpoints", "examples", "openings", "weights"]) {
    if (!existsSync(join(folder, part))) continue;
    for (const entry of readdirSync(join(folder, part), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      results[path.slice(folder.length + 1)] = createHash("sha256").update(readFileSync(path)).digest("hex");
    }
  }
  return results;
}
