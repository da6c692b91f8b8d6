import type { Engine } from "../compute/engine.ts";
import { openEngine } from "../compute/open-engine.ts";
import { assertPrograms } from "../operators/experiment/named-program.ts";
import { checkpointsPath } from "../operators/run/run-files.ts";
import { readStart } from "../operators/run/weights/net-weights.ts";
import type { StartsRead } from "../operators/run/weights/net-weights.ts";
import { modelsOf, tryModel } from "../operators/play/evaluation/model-trial.ts";
import type { CheckedGraph } from "./check-graph.ts";

/**
 * Checks the external inputs of an experiment before anything is written: the checkpoints that nets start from (those of
 * `folder`, if an earlier part of the run has left some), the programs that play, and the engine that computes nets,
 * on which the models of files are tried, too, if that was not done with the file (`checkModels`). Returns the checkpoints, so that
 * the run does not read them again. `onEngine` receives the engine while it is open, if nets are computed. Throws CheckpointUnusable, ProgramMissing, ComputeUnavailable, ModelFailed, NetDoesNotFit,
 * NumberUnsound.
 */
export async function checkInputs(
  { opened }: CheckedGraph,
  folder?: string,
  onEngine: (engine: Engine) => void = () => undefined,
): Promise<StartsRead> {
  const { experiment } = opened;
  const starts: StartsRead = new Map();
  for (const name of opened.nets.keys()) {
    const start = readStart(opened, folder === undefined ? undefined : checkpointsPath(folder, name), name);
    if (start !== undefined) starts.set(name, start);
  }
  assertPrograms(experiment);
  const networks = [...opened.nets.values()].some(({ kind }) => kind === "network");
  if (!networks) return starts;
  const engine = await openEngine(experiment.compute);
  try {
    onEngine(engine);
    // On the CPU the models of an experiment that begins have been tried with the file.
    if (folder === undefined && experiment.compute.device === "cpu") return starts;
    for (const name of modelsOf(opened)) await tryModel(opened, name, engine);
    return starts;
  } finally {
    await engine.close();
  }
}
