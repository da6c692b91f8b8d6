import * as Effect from "effect/Effect";
import { freshWeights, readStart, type StartingPoint } from "./net-weights.ts";
import type { StageEnv } from "../operator.ts";
import { CheckpointUnusable } from "../run/run-error.ts";

/** Starting points that have been read before the run began, by net; each is taken out when it is used. */
export type StartsRead = Map<string, StartingPoint>;

/** Where a net begins: as read before, else by `readStart`, else fresh weights. */
export const startingPoint = (
  env: Pick<StageEnv, "opened" | "files" | "starts">,
  net: string,
): Effect.Effect<StartingPoint, CheckpointUnusable> =>
  Effect.try({
    try: () => {
      const { opened, files, starts } = env;
      const start = starts.get(net) ?? readStart(opened, files.checkpoints(net), net);
      // Held by the learner alone from now on: it may be large.
      starts.delete(net);
      return start ?? { tensors: freshWeights(opened, net), progress: {} };
    },
    catch: (error) => {
      if (error instanceof CheckpointUnusable) return error;
      throw error;
    },
  });
