import * as Effect from "effect/Effect";
import type { RunEvent } from "../../../events/event.ts";
import { INT8_RANGES } from "../../../models/net.ts";
import { networkOf, type OpenExperiment } from "../../experiment/open-experiment.ts";
import { emitInt8Error } from "../../run/weights/int8-figures.ts";
import { rangesTensor, weightsOf } from "../../run/weights/named-tensors.ts";
import {
  freshWeights,
  readStart,
  type StartingPoint,
  type StartsRead,
} from "../../run/weights/net-weights.ts";
import { CheckpointUnusable } from "../../run/run-error.ts";
import type { RunFiles } from "../../run/run-files.ts";

/** Where a net starts. */
interface StartEnv {
  readonly opened: OpenExperiment;
  readonly files: RunFiles;
  readonly starts: StartsRead;
  /** The stage that learns the net, or the name of the net. */
  readonly stage: string;
  readonly emit: (event: RunEvent) => void;
}

/**
 * The state from which a net starts: the one read before the run, else the one that `readStart` finds, else fresh weights. A net
 * that plays in int8 and has no ranges of activations yet gets those of random games.
 */
export const startingPoint = (env: StartEnv, net: string): Effect.Effect<StartingPoint, CheckpointUnusable> =>
  Effect.try({
    try: (): StartingPoint => {
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
  }).pipe(
    Effect.flatMap((start) =>
      env.opened.experiment.nets[net]!.evaluations === "int8"
        ? Effect.promise(() => withRanges(env, net, start))
        : Effect.succeed(start),
    ),
  );

async function withRanges(env: StartEnv, name: string, start: StartingPoint): Promise<StartingPoint> {
  const { opened } = env;
  const weights = weightsOf(start.tensors);
  if (weights.has(INT8_RANGES)) return start;
  const [{ openEngine }, { calibrated, randomSample }] = await Promise.all([
    import("../../../compute/open-engine.ts"),
    import("../../play/evaluation/calibration.ts"),
  ]);
  const network = networkOf(opened, name);
  const engine = await openEngine({ ...opened.experiment.compute, threads: 1 });
  const sample = randomSample(opened.game, network);
  const { error, ranges } = await calibrated(engine, network.net, weights, sample);
  emitInt8Error(env, start.progress["steps"] ?? 0, error);
  return { ...start, tensors: new Map([...start.tensors, rangesTensor(ranges)]) };
}
