import { existsSync } from "node:fs";
import { Command } from "commander";
import { readCheckpoint, writeCheckpoint } from "../../operators/training/checkpoint-files.ts";
import { playingPart } from "../../operators/training/named-tensors.ts";
import { UsageError } from "../complaint.ts";

/** `ludoflow weights CHECKPOINT --out FOLDER`: writes the part of a checkpoint that playing needs. */
export function weightsCommand(): Command {
  return new Command("weights")
    .argument("<checkpoint>", "the folder of a checkpoint: runs/NAME/RUN/checkpoints/NET/LEARNED")
    .requiredOption("--out <folder>", "the folder to write; it must not exist yet")
    .description(
      "Write a checkpoint that has the weights alone, for playing, without the state of the learner.",
    )
    .addHelpText(
      "after",
      `
The new checkpoint is used like any other, as weights of a net or by play and referee. Learning can begin with its
weights. It cannot continue the earlier learning exactly, because the state of the learner, such as momentum, is not in it.

Examples:
  $ ludoflow weights runs/blokuszero-fast/1/checkpoints/zero/0000003000 --out my-net`,
    )
    .action((from: string, { out }: { readonly out: string }) => {
      if (existsSync(out))
        throw new UsageError(`--out ${out} exists already; name a folder that does not exist yet`);
      const checkpoint = readCheckpoint(from);
      writeCheckpoint(out, { ...checkpoint, tensors: playingPart(checkpoint.tensors) });
      process.stdout.write(`${out}\n`);
    });
}
