import { Command, InvalidArgumentError } from "commander";
import { checkGraph } from "../graph/check-graph.ts";
import { readExperiment } from "../graph/experiment-file.ts";
import { checkInputs } from "../graph/check-inputs.ts";
import { createRunFolder } from "../graph/run-folder.ts";
import { follow } from "./follow.ts";

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
      const read = readExperiment(file, changes(options));
      const graph = checkGraph(read);
      const starts = await checkInputs(graph);
      const folder = createRunFolder(
        read.experiment,
        { file, set: changes(options) },
        options.out,
        new Date(),
      );
      process.exitCode = await follow(graph, folder, { json: options.json === true, starts });
    });
}

/** The flags of commands that read an experiment file. */
export interface ExperimentFlags {
  readonly set: readonly string[];
  readonly seed?: number;
  readonly workers?: number;
  readonly engine?: string;
  readonly device?: string;
}

interface RunFlags extends ExperimentFlags {
  readonly out?: string;
  readonly json?: boolean;
}

/** Adds the flags by which an experiment differs from its file. */
export function experimentOptions(command: Command): Command {
  return command
    .option(
      "--set <path=value>",
      "change a value of the file, in YAML; may be repeated",
      (value, all: string[]) => [...all, value],
      [] as string[],
    )
    .option("--seed <n>", "change the seed", wholeNumber)
    .option("--workers <n>", "threads that play games (default: the number of cores)", wholeNumber)
    .option("--engine <name>", "what computes nets: auto, onnx or tfjs")
    .option("--device <name>", "where nets are computed: cpu, webgpu or cuda");
}

/** The flags as changes of the file, `path=value` each. */
export function changes({ set, seed, workers, engine, device }: ExperimentFlags): string[] {
  const flag = (path: string, value: unknown) =>
    value === undefined ? [] : [`${path}=${JSON.stringify(value)}`];
  return [
    ...set,
    ...flag("seed", seed),
    ...flag("workers", workers),
    ...flag("compute.engine", engine),
    ...flag("compute.device", device),
  ];
}

/** Reads a flag's whole number. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError("expected a whole number from 0 on");
  return value;
}
