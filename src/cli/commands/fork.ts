import { relative } from "node:path";
import { Command } from "commander";
import { resumedRun } from "../../graph/start-run.ts";
import { forkRun } from "../../runs/fork-run.ts";
import { type Allotted, durationOption } from "../flags/duration-flag.ts";
import { changes, type ExperimentFlags, experimentOptions } from "../flags/experiment-flags.ts";
import { type AllowCodeFlag, allowCodeOption, permitByUser } from "../permit-code.ts";

interface ForkFlags extends ExperimentFlags, AllowCodeFlag {
  readonly at?: string;
  readonly out?: string;
  readonly for?: Allotted;
  readonly json?: boolean;
}

/** `ludoflow fork RUN`: a new run that continues from a checkpoint of another one, with changed settings. */
export function forkCommand(): Command {
  const command = new Command("fork").argument("<run>", "the folder of a run, which stays as it is");
  return durationOption(allowCodeOption(experimentOptions(command)))
    .description(
      "Start a new run that continues from a checkpoint of a run with changed settings. Its manifest and ludoflow compare show where it comes from.",
    )
    .option(
      "--at <checkpoint>",
      "a checkpoint of the run: its folder, or the amount learned (default: the last one)",
    )
    .option("--out <folder>", "the new run's folder, new or empty (default: runs/<name>/<time>-seed<seed>)")
    .option("--json", "one JSON line per event on standard output; messages for people on standard error")
    .addHelpText(
      "after",
      `
Examples:
  $ ludoflow fork runs/quickstart/A --at 3000 --set graph.learn.lambda=0.9
  $ ludoflow fork runs/blokuszero/B --set graph.games.games=200000 --for 8h`,
    )
    .action(async (parent: string, options: ForkFlags) => {
      const permit = permitByUser(options);
      const { folder, fork } = await forkRun(parent, {
        at: options.at,
        out: options.out,
        set: changes(options),
        permit,
      });
      process.stderr.write(
        `continues from ${relative(".", fork.run)} after ${fork.learned.toLocaleString("en-US")} ${fork.unit}\n`,
      );
      const run = await resumedRun(folder, { asStarted: true, permit });
      const { follow } = await import("../follow.ts");
      process.exitCode = await follow(run!, { json: options.json === true, allotted: options.for });
    });
}
