import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { Command } from "commander";
import { checkGraph } from "../../graph/check-graph.ts";
import { checkInputs } from "../../graph/check-inputs.ts";
import { checkExperiment, readExperiment } from "../../graph/experiment-file.ts";
import { hasFinished } from "../../graph/run-experiment.ts";
import { experimentText, openRunFolder, RunFolderInvalid, type RunSource } from "../../graph/run-folder.ts";
import { currentExperiment } from "../../operators/experiment/earlier-formats.ts";
import type { Experiment } from "../../operators/experiment/open-experiment.ts";
import { assertWritable } from "../../formats/atomic-file.ts";
import { writeReport } from "../../report/report.ts";
import { follow } from "../follow.ts";
import { wholeNumber } from "../whole-number.ts";

interface ResumeFlags {
  readonly workers?: number;
  readonly json?: boolean;
  readonly asStarted?: boolean;
}

/** `ludoflow resume RUN`: goes on with a run that was interrupted or killed. */
export function resumeCommand(): Command {
  return new Command("resume")
    .argument("<run>", "the folder of a run")
    .description(
      "Go on with a run that was interrupted or killed, from its last checkpoint and its recorded games.",
    )
    .option(
      "--workers <n>",
      "threads that play games; does not change a synchronous run's results",
      wholeNumber,
    )
    .option("--as-started", "go on with the experiment as it was, though its file has been changed since")
    .option("--json", "one JSON line per event on standard output; everything for people on standard error")
    .addHelpText("after", "\nExamples:\n  $ ludoflow resume runs/quickstart/20260101-120000-seed2048")
    .action(async (folder: string, options: ResumeFlags) => {
      const { manifest, experiment } = openRunFolder(folder);
      if (hasFinished(folder)) {
        const report = existsSync(join(folder, "report.html"))
          ? join(folder, "report.html")
          : writeReport(folder);
        process.stderr.write(
          `this run has finished, there is nothing to go on with. Report: ${relative(".", report)}\n`,
        );
        return;
      }
      if (options.asStarted !== true) assertUnchanged(folder, manifest.source, experiment);
      const workers = options.workers === undefined ? {} : { workers: options.workers };
      const graph = checkGraph(
        checkExperiment(join(folder, "experiment.yaml"), { ...experiment, ...workers }),
        folder,
      );
      const starts = await checkInputs(graph, folder);
      assertWritable(folder, 16 << 20);
      process.exitCode = await follow(graph, folder, { json: options.json === true, starts });
    });
}

/** A run is a function of its file: where that has been changed since, going on must be asked for. */
function assertUnchanged(folder: string, source: RunSource, experiment: Experiment): void {
  if (!existsSync(source.file)) return;
  const now = currentExperiment(readExperiment(source.file, source.set, source.folder).experiment);
  const before = experimentText(experiment).split("\n");
  const after = experimentText(now).split("\n");
  const line = before.findIndex((text, i) => text !== after[i]);
  if (line < 0 && before.length === after.length) return;
  const difference =
    line < 0
      ? "lines were added at its end"
      : `it began with "${before[line]!.trim()}", now it says "${(after[line] ?? "").trim()}"`;
  throw new RunFolderInvalid(
    `${source.file} has been changed since this run began: ${difference}. A run is a function of its file: start a new run, or go on with the file as it was by: ludoflow resume ${folder} --as-started`,
  );
}
