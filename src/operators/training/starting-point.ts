import * as Effect from "effect/Effect";
import { freshWeights, readStart, type StartingPoint } from "./net-weights.ts";
import type { OpenExperiment } from "../experiment/open-experiment.ts";
import { CheckpointUnusable } from "../run/run-error.ts";
import type { RunFiles } from "../run/run-files.ts";

/** The starting points that were read before the run began, by net. Each one is removed when it is used. */
export type StartsRead = Map<string, StartingPoint>;

/** The state from which a net starts: the one read before the run, else the one that `readStart` finds, else fresh weights. */
export const startingPoint = (
  env: { readonly opened: OpenExperiment; readonly files: RunFiles; readonly starts: StartsRead },
  net: string,
): Effect.Effect<StartingPoint, CheckpointUnusable> =>
  Effect.try({
    try: () => {
      const { opened, files, starts } = env;
      const start = starts.get(net) ?? readStart(opened, files.checkpoints(net), net);
      // It may be large: from now on only the learner holds it.
      starts.delete(net);
      return start ?? { tensors: freshWeights(opened, net), progress: {} };
    },
    catch: (error) => {
      if (error instanceof CheckpointUnusable) return error;
      throw error;
    },
  });
