import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { checkpointsPath } from "../operators/run/run-files.ts";
import { listCheckpoints } from "../operators/run/weights/checkpoint-files.ts";

/** A checkpoint that a run has saved. */
export interface SavedCheckpoint {
  /** The name of the net in the experiment. */
  readonly net: string;
  /** The folder, for `openCheckpoint`. */
  readonly path: string;
  /** The games or steps learned before. */
  readonly learned: number;
}

/** The checkpoints in the folder of a run, whole ones and those of versions that an interruption ended early. */
export function savedCheckpoints(folder: string): SavedCheckpoint[] {
  const all = join(folder, "checkpoints");
  if (!existsSync(all)) return [];
  return readdirSync(all)
    .toSorted()
    .flatMap((net) =>
      listCheckpoints(checkpointsPath(folder, net)).map(({ path, learned }) => ({ net, path, learned })),
    );
}
