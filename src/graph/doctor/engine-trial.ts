import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { EngineOptions } from "../../compute/engine.ts";
import { moduleBeside } from "../../module-beside.ts";

/** The engine, device and Python of an experiment's `compute`. */
export type TriedCompute = Pick<EngineOptions, "engine" | "device" | "python">;

/** What is tried in a process of its own. */
export interface EngineTrial {
  readonly compute: TriedCompute;
  /** An experiment of this package whose self-play and training are measured; absent: the engine is only opened. */
  readonly experiment?: string;
  /** Seconds of measuring. */
  readonly seconds: number;
}

/** What an engine does with an experiment on this machine; speeds are those of an idle machine, as `check --cost` measures them. */
export interface EngineSpeed {
  /** Positions evaluated in a second of self-play, all threads together; absent: not one in the time. */
  readonly evaluations?: number;
  /** Optimiser steps in a second; absent: less than two in the time. */
  readonly steps?: number;
  /** Positions of a step. */
  readonly batch: number;
  /** Weights of the net. */
  readonly weights: number;
  /** Seconds of the whole run without its matches, as far as its stages were measured. */
  readonly seconds: number;
  /** What an hour does, on the average of the run: amounts of `games` and `steps`. Absent: a stage was not measured. */
  readonly hour?: Readonly<Record<string, number>>;
  /** Whether self-play was slower than the time allowed to measure: `seconds` is a lower bound, and `hour` an upper one. */
  readonly least: boolean;
}

/** What a trial has found: the engine in words and what it consists of, its speed if it was measured, or why it failed. */
export type TrialOutcome =
  | {
      readonly description: string;
      readonly facts: Readonly<Record<string, string | number>>;
      readonly speed?: EngineSpeed;
    }
  | { readonly failed: string };

/** The longest trial in seconds. It only ends what hangs: a busy machine takes many times as long. */
const longest = (seconds: number) => 900 + 30 * seconds;

/**
 * Opens an engine, and measures an experiment with it, in a process of its own: a driver that ends the process, or never answers,
 * fails its own trial only.
 */
export async function tryEngine(trial: EngineTrial): Promise<TrialOutcome> {
  const program = fileURLToPath(moduleBeside("engine-trial-process", import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(trial)], {
    // The process ends with this one: it reads the end of its input.
    stdio: "pipe",
    timeout: 1000 * longest(trial.seconds),
    killSignal: "SIGKILL",
  });
  let [out, lastWords] = ["", ""];
  child.stdout.on("data", (bytes: Buffer) => (out += bytes.toString()));
  child.stderr.on("data", (bytes: Buffer) => (lastWords = `${lastWords}${bytes.toString()}`.slice(-1000)));
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  if (signal === "SIGKILL")
    return { failed: `it has not finished within ${longest(trial.seconds)} seconds, or memory ran out` };
  const line = out.trim().split("\n").at(-1)!;
  if (code !== 0 || line === "") {
    const words = lastWords.trim().split("\n").at(-1)!;
    return {
      failed: `its process was ended by ${signal ?? `exit code ${code}`}${words === "" ? "" : `, saying: ${words}`}`,
    };
  }
  return JSON.parse(line) as TrialOutcome;
}
