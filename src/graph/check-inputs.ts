import { openEngine } from "../compute/open-engine.ts";
import { readCheckpoint } from "../operators/checkpoint-files.ts";
import type { CheckedGraph } from "./check-graph.ts";

/**
 * Checks what an experiment needs from outside its file before anything is written: the checkpoints that nets start
 * from, and the engine that computes them. Throws CheckpointUnusable, ComputeUnavailable.
 */
export async function checkInputs({ setting }: CheckedGraph): Promise<void> {
  const { experiment } = setting;
  for (const { weights, ...net } of Object.values(experiment.nets))
    if (weights !== undefined) readCheckpoint(weights, { game: experiment.game, net });
  const networks = [...setting.nets.values()].some(({ kind }) => kind === "network");
  if (networks) await openEngine(experiment.compute);
}
