import { existsSync } from "node:fs";
import { Command } from "commander";
import { readCheckpoint, writeCheckpoint } from "../../operators/training/checkpoint-files.ts";
import { playingPart } from "../../operators/training/named-tensors.ts";
import { UsageError } from "../complaint.ts";

/** `ludoflow weights CHECKPOINT --out FOLDER`: what plays, without what only learning needs. */
export function weightsCommand(): Command {
  return new Command("weights")
    .argument("<checkpoint>", "the folder of a checkpoint: runs/NAME/RUN/checkpoints/NET/LEARNED")
    .requiredOption("--out <folder>", "the folder to be written; it must not be there yet")
    .description("Write a checkpoint of the weights alone, for others to play with: no state of the learner.")
    .addHelpText(
      "after",
      `
The new checkpoint is used like any other, as weights of a net or by play and referee. Learning can begin with it, but
not go on from it as if nothing had happened: momentum and the like are gone.

Examples:
  $ ludoflow weights runs/blokuszero-fast/1/checkpoints/zero/0000003000 --out my-net`,
    )
    .action((from: string, { out }: { readonly out: string }) => {
      if (existsSync(out)) throw new UsageError(`--out ${out} is there already: name a folder that is not`);
      const checkpoint = readCheckpoint(from);
      writeCheckpoint(out, { ...checkpoint, tensors: playingPart(checkpoint.tensors) });
      process.stdout.write(`${out}\n`);
    });
}
