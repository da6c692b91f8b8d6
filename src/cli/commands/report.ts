import { relative } from "node:path";
import { Command } from "commander";
import { openRunFolder } from "../../graph/folder/run-folder.ts";
import { writeReport } from "../../report/report.ts";

/** `ludoflow report RUN`: writes the report of a run again from its metrics. */
export function reportCommand(): Command {
  return new Command("report")
    .argument("<run>", "the folder of a run")
    .description(
      "Write report.html and its tables (CSV, Parquet) from the records of a run, also while the run goes on.",
    )
    .addHelpText("after", "\nExamples:\n  $ ludoflow report runs/quickstart/20260101-120000-seed2048")
    .action((folder: string) => {
      openRunFolder(folder);
      process.stdout.write(`${relative(".", writeReport(folder))}\n`);
    });
}
