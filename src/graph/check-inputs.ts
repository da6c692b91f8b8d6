import { openEngine } from "../compute/open-engine.ts";
import { listCheckpoints, readCheckpoint } from "../operators/checkpoint-files.ts";
import { checkpointsPath } from "../operators/run-files.ts";
import { ownerOf } from "../operators/setting.ts";
import type { CheckedGraph } from "./check-graph.ts";

/**
 * Checks what an experiment needs from outside its file before anything is written: the checkpoints that nets start
 * from (those of `folder`, where an earlier part of the run has left some), and the engine that computes them. Throws
 * CheckpointUnusable, ComputeUnavailable.
 */
export async function checkInputs({ setting }: CheckedGraph, folder?: string): Promise<void> {
  const { experiment } = setting;
  for (const [name, { weights }] of Object.entries(experiment.nets)) {
    const last =
      folder === undefined ? undefined : listCheckpoints(checkpointsPath(folder, name)).at(-1)?.path;
    const start = last ?? weights;
    if (start !== undefined) readCheckpoint(start, ownerOf(experiment, name));
  }
  const networks = [...setting.nets.values()].some(({ kind }) => kind === "network");
  if (networks) await openEngine(experiment.compute);
}
