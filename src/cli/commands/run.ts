import { Command } from "commander";
import { readExperiment } from "../../graph/experiment-file.ts";
import type { CheckedGraph } from "../../graph/check-graph.ts";
import { newRun, type Run } from "../../graph/start-run.ts";
import { changes, type ExperimentFlags, experimentOptions } from "../experiment-flags.ts";

/** `ludoflow run FILE`: runs an experiment from the start. */
export function runCommand(): Command {
  return experimentOptions(new Command("run").argument("<file>", "an experiment file"))
    .description("Run an experiment from the start and write its report.")
    .option("--out <folder>", "the run's folder, new or empty (default: runs/<name>/<time>-seed<seed>)")
    .option("--json", "one JSON line per event on standard output; everything for people on standard error")
    .addHelpText(
      "after",
      `
Examples:
  $ ludoflow run experiments/quickstart.yaml
  $ ludoflow run experiments/2048-ntuple.yaml --workers 1 --out /tmp/ntuple
  $ ludoflow run experiments/quickstart.yaml --set graph.learn.games=500 --set seed=7 --json`,
    )
    .action(async (file: string, options: RunFlags) => {
      const run = await startedBy(file, options);
      const { follow } = await import("../follow.ts");
      process.exitCode = await follow(run, { json: options.json === true });
    });
}

/** The new run of a file and flags; `accept` may refuse it before anything is written, by throwing UsageError. */
export function startedBy(
  file: string,
  options: RunFlags,
  accept: (graph: CheckedGraph) => void = () => undefined,
): Promise<Run> {
  const set = changes(options);
  return newRun(readExperiment(file, set), { file, set }, { out: options.out, accept });
}

/** The flags of commands that start a run. */
export interface RunFlags extends ExperimentFlags {
  readonly out?: string;
  readonly json?: boolean;
}
