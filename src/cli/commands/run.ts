import { Command } from "commander";
import { type CheckedGraph, checkGraph } from "../../graph/check-graph.ts";
import { readExperiment } from "../../graph/experiment-file.ts";
import { checkInputs } from "../../graph/check-inputs.ts";
import { createRunFolder } from "../../graph/run-folder.ts";
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
      process.exitCode = (await start(file, options)).code;
    });
}

/** Runs an experiment from the start; `accept` may refuse it before anything is written, by throwing UsageError. */
export async function start(
  file: string,
  options: RunFlags,
  accept?: (graph: CheckedGraph) => void,
): Promise<{ readonly code: number; readonly folder: string }> {
  const read = readExperiment(file, changes(options));
  const graph = checkGraph(read);
  accept?.(graph);
  const starts = await checkInputs(graph);
  const folder = createRunFolder(read.experiment, { file, set: changes(options) }, options.out, new Date());
  const { follow } = await import("../follow.ts");
  return { code: await follow(graph, folder, { json: options.json === true, starts }), folder };
}

/** The flags of commands that start a run. */
export interface RunFlags extends ExperimentFlags {
  readonly out?: string;
  readonly json?: boolean;
}
