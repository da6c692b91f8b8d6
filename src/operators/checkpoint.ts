import { join, relative } from "node:path";
import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { Type } from "../schema.ts";
import {
  checkpointFolders,
  checkpointName,
  holdsCheckpoint,
  listCheckpoints,
  removeCheckpoint,
  removeRemains,
  writeCheckpoint,
} from "./run/weights/checkpoint-files.ts";
import { exportOnnx } from "../models/nets/inference.ts";
import type { WeightsVersion } from "./run/items.ts";
import { ownerOf } from "./experiment/open-experiment.ts";
import { weightsOf } from "./run/weights/named-tensors.ts";
import { operator, type StageEnv } from "./operator.ts";
import { counted } from "../messages/counted.ts";

/** Saves the weights and the state of a learner whose versions flow through the stage. */
export const checkpoint = operator({
  use: "checkpoint",
  description:
    "Saves the weights and everything that is needed to continue learning. A run resumes from its last checkpoint.",
  example: "saved: { use: checkpoint, from: weights, every: 1, keep: 3 }",
  settings: {
    every: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 1,
      description:
        "Number of trained versions of the weights from one checkpoint to the next. The last version is always saved.",
    }),
    keep: Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      default: 3,
      description:
        "Number of newest checkpoints that are kept; 0 keeps all. Replaying an old game needs the weights that it was played with.",
    }),
  },
  inputs: { from: { kind: "weights", description: "The learner that is saved" } },
  output: "weights",
  bounds: (settings) => [
    settings.keep === 0 ? "keeps all checkpoints" : `keeps ${counted(settings.keep, "checkpoint")}`,
  ],
  offers: (_settings, { offered }) => offered("from", "weights"),
  build: (settings, { from }, env) =>
    Effect.succeed(
      from.pipe(
        Stream.tap((version) =>
          Effect.gen(function* () {
            if (version.trainings % settings.every !== 0 && version.state === "whole") return;
            yield* save(version, env);
            const folder = env.files.checkpoints(version.net);
            removeRemains(folder);
            // A partial version is useless once learning has passed it, even if its manifest is lost.
            const passed = checkpointFolders(folder).filter(
              ({ partial, learned }) => partial && learned < version.learned,
            );
            const whole = listCheckpoints(folder).filter(({ partial }) => !partial);
            const old = settings.keep === 0 ? [] : whole.slice(0, -settings.keep);
            for (const { path } of [...passed, ...old]) removeCheckpoint(path);
          }),
        ),
      ),
    ),
});

const save = (version: WeightsVersion, env: StageEnv) =>
  Effect.gen(function* () {
    const partial = version.state === "partial";
    const folder = join(env.files.checkpoints(version.net), checkpointName(version.learned, partial));
    const { experiment } = env.opened;
    // A resumed run comes to the checkpoint that it started from.
    if (!holdsCheckpoint(folder)) {
      const tensors = yield* version.snapshot;
      const open = env.opened.nets.get(version.net)!;
      // A partial version is for resuming only, not for use elsewhere.
      const graph: Record<string, Uint8Array> =
        open.kind === "network" && !partial
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
      env.files.sync();
      env.board.saving(version.net, version.version);
      writeCheckpoint(folder, { ...manifest, tensors }, graph);
    }
    version.saved();
    env.board.saved(version.net, version.version, partial);
    env.emit({
      type: "checkpoint",
      stage: env.stage,
      learned: version.learned,
      unit: version.unit,
      path: relative(env.files.folder, folder),
    });
  });
