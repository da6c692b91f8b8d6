import { relative } from "node:path";
import { Command } from "commander";
import { figuresText, writePages } from "../../report/report.ts";
import {
  type Comparison,
  compareRuns,
  type OpenedRun,
  openComparedRun,
  UnknownTime,
} from "../../runs/comparison/comparison.ts";
import { comparisonReport } from "../../runs/comparison/comparison-report.ts";
import { namedRuns } from "../../runs/find-runs.ts";
import { UsageError } from "../../messages/usage-error.ts";
import { comparisonText } from "../comparison-text.ts";

/** `ludoflow compare RUN RUN...`: several runs side by side. */
export function compareCommand(): Command {
  return new Command("compare")
    .argument("<run...>", "folders of runs, or folders with runs in them; the first one is the baseline")
    .description(
      "Compare runs: settings that differ, results and differences with 95% intervals, learning curves. Runs that differ in the seed alone count as repetitions.",
    )
    .option(
      "--out <folder>",
      "also write a page (report.html), its tables and its figures for papers (figures/*.svg) into this folder",
    )
    .option(
      "--equal-time",
      "compare after equal processor time, instead of at the ends: the least that any of the runs has used",
    )
    .option("--json", "the comparison with all curves as one JSON document")
    .addHelpText(
      "after",
      `
Examples:
  $ ludoflow compare runs/quickstart/A runs/quickstart/B
  $ ludoflow compare runs/baseline runs/variant --out comparison`,
    )
    .action(
      (
        folders: readonly string[],
        options: { readonly out?: string; readonly json?: boolean; readonly equalTime?: boolean },
      ) => {
        const runs = namedRuns(folders);
        if (runs.length < 2)
          throw new UsageError(`${folders.join(", ")} is one run; name at least two to compare`);
        const comparison = compared(runs.map(openComparedRun), options.equalTime === true);
        process.stdout.write(
          options.json === true ? `${JSON.stringify(comparison)}\n` : comparisonText(comparison),
        );
        if (options.out === undefined) return;
        const path = writePages(options.out, comparisonReport(comparison));
        process.stderr.write(`Page: ${relative(".", path)}\n${figuresText(path)}`);
      },
    );
}

function compared(runs: readonly OpenedRun[], equalTime: boolean): Comparison {
  try {
    return compareRuns(runs, { equalTime });
  } catch (error) {
    throw error instanceof UnknownTime ? new UsageError(`--equal-time: ${error.message}`) : error;
  }
}
