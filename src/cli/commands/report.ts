import { relative } from "node:path";
import { Command } from "commander";
import { openRunFolder } from "../../graph/run-folder.ts";
import { writeReport } from "../../report/report.ts";

/** `ludoflow report RUN`: writes a run's report again, from its metrics. */
export function reportCommand(): Command {
  return new Command("report")
    .argument("<run>", "the folder of a run")
    .description(
      "Write report.html and its tables (CSV, Parquet) from what a run has recorded, also while it runs.",
    )
    .addHelpText("after", "\nExamples:\n  $ ludoflow report runs/quickstart/20260101-120000-seed2048")
    .action((folder: string) => {
      openRunFolder(folder);
      process.stdout.write(`${relative(".", writeReport(folder))}\n`);
    });
}
