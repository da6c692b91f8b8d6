import { existsSync } from "node:fs";
import { Command } from "commander";
import { writeAtomically } from "../../formats/files/atomic-file.ts";
import { openGame, type GameConfig, games } from "../../games/registry.ts";
import { nets, openNet } from "../../models/registry.ts";
import type { NetConfig } from "../../operators/experiment/open-experiment.ts";
import {
  type Checkpoint,
  readCheckpoint,
  writeCheckpoint,
} from "../../operators/run/weights/checkpoint-files.ts";
import { playingPart, weightsOf } from "../../operators/run/weights/named-tensors.ts";
import { UsageError } from "../../messages/usage-error.ts";
import type { AllowCodeFlag } from "../permit-code.ts";
import { loadPluginsFor, type PluginFlag, pluginOptions } from "../flags/plugin-flags.ts";

interface WeightsFlags extends PluginFlag, AllowCodeFlag {
  readonly out?: string;
  readonly onnx?: string;
}

/** `ludoflow weights CHECKPOINT`: writes the part of a checkpoint that playing needs, for ludoflow or for others. */
export function weightsCommand(): Command {
  const command = new Command("weights").argument(
    "<checkpoint>",
    "the folder of a checkpoint: runs/NAME/RUN/checkpoints/NET/LEARNED",
  );
  return pluginOptions(command)
    .option("--out <folder>", "the folder of a checkpoint to write; it must not exist yet")
    .option(
      "--onnx <file>",
      "a model file to write, for other programs (docs/onnx.md); it must not exist yet",
    )
    .description(
      "Write the weights of a checkpoint alone, for playing, without the state of the learner: as a checkpoint, or as a model file in ONNX's format.",
    )
    .addHelpText(
      "after",
      `
The new checkpoint is used like any other, as weights of a net or by play and referee. Learning can begin with its
weights. It cannot continue the earlier learning exactly, because the state of the learner, such as momentum, is not in it.

Examples:
  $ ludoflow weights runs/blokuszero-fast/1/checkpoints/zero/0000003000 --out my-net
  $ ludoflow weights my-net --onnx my-net.onnx`,
    )
    .action(async (from: string, { onnx, out, ...flags }: WeightsFlags) => {
      if (out === undefined && onnx === undefined)
        throw new UsageError(
          "name what to write: --out FOLDER for a checkpoint, --onnx FILE for a model file",
        );
      if (out !== undefined && existsSync(out))
        throw new UsageError(`--out ${out} exists already; name a folder that does not exist yet`);
      if (onnx !== undefined && existsSync(onnx))
        throw new UsageError(`--onnx ${onnx} exists already; name a file that does not exist yet`);
      // A checkpoint is copied as it is; a model file is made by the code of the net and of the game.
      if (onnx !== undefined) await loadPluginsFor(flags, { paths: [from] });
      const checkpoint = readCheckpoint(from);
      const model = onnx === undefined ? undefined : await modelOf(from, checkpoint);
      if (out !== undefined) {
        writeCheckpoint(out, { ...checkpoint, tensors: playingPart(checkpoint.tensors) });
        process.stdout.write(`${out}\n`);
      }
      if (model === undefined) return;
      writeAtomically(onnx!, model.bytes);
      process.stdout.write(`${onnx}\n${model.text}`);
    });
}

/** The net of a checkpoint as a model file, and what its inputs and outputs are, for people. */
async function modelOf(from: string, { game: config, net: settings, tensors }: Checkpoint) {
  const { rules, ...options } = config as GameConfig;
  const { use, weights: _, ...own } = settings as NetConfig;
  if (!games.some(({ name }) => name === rules) || !nets.some(({ name }) => name === use))
    throw new UsageError(
      `${from} is of the game "${rules}" and the net "${use}", which ludoflow does not both have; name the plug-ins that define them with --plugin`,
    );
  const game = openGame(rules, options);
  const open = openNet(use, game, own);
  if (open.kind !== "network")
    throw new UsageError(
      `${from} holds a ${use}, which is on tables: only nets can be written as model files`,
    );
  const { exportOnnx } = await import("../../models/nets/inference.ts");
  const planes = (own["planes"] as string | null | undefined) ?? Object.keys(game.nets!.planes)[0];
  const lines = [
    `input x: float32 [N, ${open.net.input.join(", ")}], the planes "${planes}" (N, height, width, channels)`,
    ...(open.hasValue
      ? [`output value: float32 [N, ${open.net.seats}], ${open.values}, in turn order from the seat to move`]
      : []),
    ...(open.hasPolicy ? [`output policy: float32 [N, ${open.net.actions!}], the logit of each action`] : []),
  ];
  return { bytes: exportOnnx(open.net, weightsOf(tensors)), text: `${lines.join("\n")}\n` };
}
