import { relative } from "node:path";
import { Command } from "commander";
import { loadPermittedPluginsOfRun } from "../../graph/code/run-code.ts";
import { writePages, writeReport } from "../../report/report.ts";
import { isSweepFolder } from "../../runs/sweep/sweep-folder.ts";
import { sweepReport, sweepResults } from "../../runs/sweep/sweep-report.ts";
import { type AllowCodeFlag, allowCodeOption, permitByUser, tellNotLoaded } from "../permit-code.ts";

/** `ludoflow report RUN`: writes the report of a run again from its metrics. */
export function reportCommand(): Command {
  return allowCodeOption(new Command("report").argument("<run>", "the folder of a run, or of a sweep"))
    .description(
      "Write report.html and its tables (CSV, Parquet) from the records of a run, also while the run goes on.",
    )
    .addHelpText("after", "\nExamples:\n  $ ludoflow report runs/quickstart/20260101-120000-seed2048")
    .action(async (folder: string, flags: AllowCodeFlag) => {
      if (isSweepFolder(folder)) {
        process.stdout.write(`${relative(".", writePages(folder, sweepReport(sweepResults(folder))))}\n`);
        return;
      }
      const notLoaded = await loadPermittedPluginsOfRun(folder, permitByUser(flags));
      tellNotLoaded(folder, { notLoaded });
      process.stdout.write(`${relative(".", writeReport(folder))}\n`);
    });
}
