import { type Command, Option } from "commander";
import { threads, wholeNumber } from "../whole-number.ts";

/** The flags of commands that read an experiment file. */
export interface ExperimentFlags {
  readonly set: readonly string[];
  readonly seed?: number;
  readonly workers?: number;
  readonly engine?: string;
  readonly device?: string;
}

/** Adds the flags that change values of an experiment file. */
export function experimentOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--set <path=value>", "change a value of the file; the value is YAML; may be repeated")
        .argParser((value, all: string[]) => [...all, value])
        .default([], "none"),
    )
    .option("--seed <n>", "change the seed", wholeNumber)
    .option("--workers <n>", "threads that play games (default: the number of cores)", threads)
    .option("--engine <name>", "the engine that computes nets: auto, onnx, torch or tfjs")
    .option("--device <name>", "the device that computes nets: cpu, webgpu, cuda, mps or xpu");
}

/** The flags as changes of the file, each as `path=value`. */
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
