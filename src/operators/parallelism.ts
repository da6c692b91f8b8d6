import { availableParallelism } from "node:os";
import { Type } from "../schema.ts";
import type { ComputeConfig, Experiment, Setting } from "./setting.ts";

/** How many games a stage has under way, as a setting. */
export const inFlightSchema = Type.Integer({
  minimum: 1,
  maximum: 4096,
  default: 32,
  description:
    "Games under way per worker thread. Their evaluations share batches; it changes the speed and the memory, not the results of a synchronous run.",
});

/** Threads that play games. */
export function workerThreads(experiment: Experiment): number {
  return experiment.workers ?? availableParallelism();
}

/** Games of one stage under way, or finished and not yet read. */
export function gamesInFlight(setting: Setting, perWorker: number): number {
  return perWorker * workerThreads(setting.experiment);
}

/** How nets are evaluated: on all cores, since a position's evaluation does not depend on the number of threads. */
export function evaluationCompute(compute: ComputeConfig): ComputeConfig {
  return { ...compute, threads: Math.max(compute.threads, availableParallelism()) };
}
