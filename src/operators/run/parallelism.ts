import { availableParallelism, totalmem } from "node:os";
import { Type } from "../../schema.ts";
import type { ComputeConfig, Experiment, OpenExperiment } from "../experiment/open-experiment.ts";

/** How many games a stage has under way, as a setting. */
export const inFlightSchema = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 4096,
    description:
      "Games under way per worker thread. Their evaluations share batches. If absent, the run measures at its start how many games fill good batches; without a net it is 32. It changes speed and memory, not the results of a synchronous run.",
  }),
);

/** Games under way per worker thread where nothing is said and there is no net to measure. */
export const gamesUnmeasured = 32;

/** The most games under way per worker thread that a measurement chooses: each has trees of its own. */
const MOST_MEASURED = 128;

/** Threads that play games. */
export function workerThreads(experiment: Experiment): number {
  return experiment.workers ?? availableParallelism();
}

/**
 * The most games of one stage under way, or finished and not yet read. Before a run has started, where nothing is said, those
 * that measuring can come to; a run that has started knows.
 */
export function gamesInFlight(opened: OpenExperiment, perWorker: number = MOST_MEASURED): number {
  return perWorker * workerThreads(opened.experiment);
}

/**
 * Games under way per worker thread that keep so many sessions busy with batches of so many rows: one that is computed,
 * one that waits.
 */
export function inFlightFor(experiment: Experiment, sessions: number, rows: number): number {
  return Math.min(MOST_MEASURED, Math.max(2, Math.ceil((2 * sessions * rows) / workerThreads(experiment))));
}

/** How a net is evaluated. */
export interface EvaluationCompute {
  /** Threads with a session each. */
  readonly sessions: number;
  /** Where and how each of them computes. */
  readonly compute: ComputeConfig;
}

/** The share of the memory that copies of a net in sessions may take. */
const SESSIONS_SHARE = 0.25;

/**
 * How nets are evaluated: on the CPU in a session of one thread for each core, since threads of one session wait for each
 * other after every operation, which on cores shared with searches costs a third of the speed or more. Where so many
 * copies of the net would take too much memory there are fewer sessions, each of more threads. A GPU has one.
 *
 * A position's evaluation does not depend on any of this.
 */
export function evaluationCompute(
  compute: ComputeConfig,
  weights: number,
  given: number | undefined,
): EvaluationCompute {
  const cores = availableParallelism();
  const room = Math.max(1, Math.floor((SESSIONS_SHARE * totalmem()) / (4 * weights)));
  const sessions = given ?? (compute.device === "cpu" ? Math.min(cores, room) : 1);
  return { sessions, compute: { ...compute, threads: Math.max(1, Math.floor(cores / sessions)) } };
}
