import { join, relative } from "node:path";
import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { Type } from "../schema.ts";
import {
  checkpointName,
  holdsCheckpoint,
  listCheckpoints,
  removeCheckpoint,
  removeRemains,
  writeCheckpoint,
} from "./training/checkpoint-files.ts";
import { exportOnnx } from "../models/nets/inference.ts";
import type { WeightsVersion } from "./run/items.ts";
import { ownerOf } from "./experiment/open-experiment.ts";
import { weightsOf } from "./training/named-tensors.ts";
import { operator, type StageEnv } from "./operator.ts";

/** Saves weights and learner state as they pass by. */
export const checkpoint = operator({
  use: "checkpoint",
  description:
    "Saves weights and all that is needed to go on learning; a run resumes from its last checkpoint.",
  example: "saved: { use: checkpoint, from: weights, every: 1, keep: 3 }",
  settings: {
    every: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 1,
      description: "Versions of the weights from one checkpoint to the next; the last is always saved.",
    }),
    keep: Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      default: 3,
      description:
        "Newest checkpoints kept; 0 keeps all (replays of old games need the weights they were played with).",
    }),
  },
  inputs: { from: { kind: "weights", description: "The learner to save" } },
  output: "weights",
  bounds: (settings) => [
    settings.keep === 0 ? "keeps all checkpoints" : `keeps ${settings.keep} checkpoints`,
  ],
  build: (settings, { from }, env) =>
    Effect.succeed(
      from.pipe(
        Stream.tap((version) =>
          Effect.gen(function* () {
            if (version.trainings % settings.every !== 0 && !version.final && !version.partial) return;
            yield* save(version, env);
            const folder = env.files.checkpoints(version.net);
            removeRemains(folder);
            const saved = listCheckpoints(folder);
            // What an interruption has saved half-way is of no use once learning has passed it.
            const passed = saved.filter(({ partial, learned }) => partial && learned < version.learned);
            const whole = saved.filter(({ partial }) => !partial);
            const old = settings.keep === 0 ? [] : whole.slice(0, -settings.keep);
            for (const { path } of [...passed, ...old]) removeCheckpoint(path);
          }),
        ),
      ),
    ),
});

const save = (version: WeightsVersion, env: StageEnv) =>
  Effect.gen(function* () {
    const folder = join(env.files.checkpoints(version.net), checkpointName(version.learned, version.partial));
    const { experiment } = env.opened;
    // A resumed run meets the checkpoint that it came from.
    if (!holdsCheckpoint(folder)) {
      const tensors = yield* version.snapshot;
      const open = env.opened.nets.get(version.net)!;
      // What was cut short is there to be gone on with, not to be used elsewhere.
      const graph: Record<string, Uint8Array> =
        open.kind === "network" && !version.partial
          ? { "inference.onnx": exportOnnx(open.net, weightsOf(tensors)) }
          : {};
      const manifest = {
        ...ownerOf(experiment, version.net),
        name: version.net,
        version: version.version,
        learned: version.learned,
        unit: version.unit,
        progress: version.progress,
      };
      writeCheckpoint(folder, { ...manifest, tensors }, graph);
    }
    version.saved();
    env.emit({
      type: "checkpoint",
      stage: env.stage,
      learned: version.learned,
      unit: version.unit,
      path: relative(env.files.folder, folder),
    });
  });
