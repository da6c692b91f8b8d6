import { availableParallelism, totalmem } from "node:os";
import { computesItself, type Device } from "../../compute/engine.ts";
import { Type } from "../../schema.ts";
import type { ComputeConfig, Experiment, OpenExperiment } from "../experiment/open-experiment.ts";

/** The setting that says how many games a stage has under way. */
export const inFlightSchema = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 4096,
    description:
      "Games under way per worker thread. Their evaluations share batches. If absent, the run measures at its start how many games fill good batches; without a net it is 32. It changes speed and memory, not the results of a reproducible run.",
  }),
);

/** Games under way per worker thread if the file does not say and there is no net to measure. */
export const gamesUnmeasured = 32;

/** Maximum games under way per worker thread that a measurement chooses: each game has its own trees. */
const mostMeasured = (device: Device) => (device === "cpu" ? 64 : 512);

/** Number of threads that play games. */
export function workerThreads(experiment: Experiment): number {
  return experiment.workers ?? availableParallelism();
}

/**
 * Maximum number of games of one stage that are under way on this machine or elsewhere, or finished and not yet read. If the file does not say and
 * the run has not started, it is the largest number that a measurement can choose.
 */
export function gamesInFlight({ elsewhere = 0, experiment }: OpenExperiment, perWorker?: number): number {
  return (perWorker ?? mostMeasured(experiment.compute.device)) * workerThreads(experiment) + elsewhere;
}

/**
 * Games under way per worker thread that keep this number of sessions busy with batches of this number of rows. Each
 * session has one batch being computed and one waiting.
 */
export function inFlightFor(experiment: Experiment, sessions: number, rows: number): number {
  const wanted = Math.ceil((2 * sessions * rows) / workerThreads(experiment));
  return Math.min(mostMeasured(experiment.compute.device), Math.max(2, wanted));
}

/** How a net is evaluated. */
export interface EvaluationCompute {
  /** Threads with a session each. */
  readonly sessions: number;
  /** Where and how each of them computes. */
  readonly compute: ComputeConfig;
}

/** The fraction of the memory that the copies of a net in sessions may take. */
const SESSIONS_SHARE = 0.25;

/**
 * How a net is evaluated. On the CPU each core has a session of one thread: threads of one session wait for each other
 * after every operation, which costs a third of the speed or more on cores shared with searches. If that many copies of
 * the net take too much memory, there are fewer sessions with more threads each. On a GPU, and by PyTorch, there are two: while
 * one batch is computed elsewhere, the thread of the other session answers the batch before and gathers the next.
 *
 * By ONNX Runtime on the CPU the evaluation of a position does not depend on any of this.
 */
export function evaluationCompute(
  compute: ComputeConfig,
  weights: number,
  given: number | undefined,
): EvaluationCompute {
  const cores = availableParallelism();
  const room = Math.max(1, Math.floor((SESSIONS_SHARE * totalmem()) / (4 * weights)));
  const sessions = given ?? (computesItself(compute) ? Math.min(cores, room) : 2);
  return { sessions, compute: { ...compute, threads: Math.max(1, Math.floor(cores / sessions)) } };
}
