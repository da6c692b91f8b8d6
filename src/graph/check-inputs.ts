import { openEngine } from "../compute/open-engine.ts";
import { programOf } from "../operators/experiment/named-program.ts";
import { checkpointsPath } from "../operators/run/run-files.ts";
import { readStart } from "../operators/training/net-weights.ts";
import type { StartsRead } from "../operators/training/starting-point.ts";
import { modelsOf, tryModel } from "../operators/evaluation/model-trial.ts";
import type { CheckedGraph } from "./check-graph.ts";

/**
 * Checks the external inputs of an experiment before anything is written: the checkpoints that nets start from (those of
 * `folder`, if an earlier part of the run has left some), the programs that play, and the engine that computes nets,
 * on which the models of files are tried, too, where that was not done with the file (`checkModels`). Returns the checkpoints, so that
 * the run does not read them again. Throws CheckpointUnusable, ProgramMissing, ComputeUnavailable, ModelFailed, NetDoesNotFit,
 * NumberUnsound.
 */
export async function checkInputs({ opened }: CheckedGraph, folder?: string): Promise<StartsRead> {
  const { experiment } = opened;
  const starts: StartsRead = new Map();
  for (const name of opened.nets.keys()) {
    const start = readStart(opened, folder === undefined ? undefined : checkpointsPath(folder, name), name);
    if (start !== undefined) starts.set(name, start);
  }
  for (const [name, agent] of Object.entries(experiment.agents)) programOf(name, agent);
  const networks = [...opened.nets.values()].some(({ kind }) => kind === "network");
  if (!networks) return starts;
  const engine = await openEngine(experiment.compute);
  // On the CPU the models of an experiment that begins have been tried with the file.
  if (folder === undefined && experiment.compute.device === "cpu") return starts;
  for (const name of modelsOf(opened)) await tryModel(opened, name, engine);
  return starts;
}
