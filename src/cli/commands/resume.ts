import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { Command } from "commander";
import { resumedRun } from "../../graph/start-run.ts";
import { type AllowCodeFlag, allowCodeOption, permitByUser } from "../permit-code.ts";
import { type Allotted, durationOption } from "../flags/duration-flag.ts";
import { type FleetFlags, fleetOptions, openFleet } from "../flags/fleet-flag.ts";
import { writeReportWithWarnings } from "../report-with-warnings.ts";
import { threads } from "../whole-number.ts";

interface ResumeFlags extends AllowCodeFlag, FleetFlags {
  readonly workers?: number;
  readonly json?: boolean;
  readonly asStarted?: boolean;
  readonly for?: Allotted;
  readonly changedPlugins?: boolean;
}

/** `ludoflow resume RUN`: continues a run that was interrupted or killed. */
export function resumeCommand(): Command {
  return fleetOptions(
    durationOption(allowCodeOption(new Command("resume").argument("<run>", "the folder of a run"))),
  )
    .description(
      "Continue a run that was interrupted or killed, from its last checkpoint and its recorded games.",
    )
    .option("--workers <n>", "threads that play games; does not change a synchronous run's results", threads)
    .option(
      "--as-started",
      "continue with the experiment as it was at the start, though its file has changed",
    )
    .option(
      "--changed-plugins",
      "continue though a plug-in has changed; the manifest notes that the run is no longer a function of its file",
    )
    .option("--json", "one JSON line per event on standard output; messages for people on standard error")
    .addHelpText(
      "after",
      `
Examples:
  $ ludoflow resume runs/quickstart/20260101-120000-seed2048
  $ ludoflow resume runs/blokuszero/20260101-120000-seed20190308 --for 2h`,
    )
    .action(async (folder: string, options: ResumeFlags) => {
      const fleet = await openFleet(options);
      try {
        const run = await resumedRun(folder, {
          workers: options.workers,
          asStarted: options.asStarted === true,
          changedPlugins: options.changedPlugins === true,
          permit: permitByUser(options),
          hostOf: fleet?.hostOf,
        });
        if (run === undefined) {
          const report = existsSync(join(folder, "report.html"))
            ? join(folder, "report.html")
            : writeReportWithWarnings(folder);
          process.stderr.write(
            `this run has finished, there is nothing to continue. Report: ${relative(".", report)}\n`,
          );
          return;
        }
        const { follow } = await import("../follow.ts");
        process.exitCode = await follow(run, { json: options.json === true, allotted: options.for });
      } finally {
        await fleet?.close();
      }
    });
}
