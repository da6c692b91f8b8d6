import { join } from "node:path";
import { readTold } from "../events/metrics-file.ts";
import { factsOf, NOTHING_TOLD, reduce, type RunState } from "../events/run-state.ts";
import { FileCorrupt } from "../formats/files/file-corrupt.ts";
import { metricsPath, openRunFolder, type RunManifest } from "../graph/folder/run-folder.ts";
import { RunFolderInvalid } from "../graph/folder/run-folder-invalid.ts";
import { processAtWork } from "../graph/folder/run-lock.ts";
import { checkToldCheckpoints } from "../graph/folder/told-checkpoints.ts";
import { checkpointsPath } from "../operators/run/run-files.ts";
import { checkSavedLogs } from "../operators/run/saved-logs.ts";
import type { Experiment } from "../operators/experiment/open-experiment.ts";
import { checkpointFolders, readManifest } from "../operators/training/checkpoint-files.ts";
import { CheckpointUnusable } from "../operators/run/run-error.ts";
import { bytesIn } from "./bytes-in.ts";
import { lastResult, type RunResultText } from "./last-result.ts";
import { progressOf, recordedCount, type ShownRunProgress } from "./run-progress.ts";

/**
 * What has become of a run: `running` (a process of this machine works on it), `stopped` (interrupted or killed, `resume`
 * goes on), `finished` (it has come to its end), `failed` (with a message; `resume` tries again), `damaged` (its files cannot be
 * used).
 */
export type RunCondition = "running" | "stopped" | "finished" | "failed" | "damaged";

/** A run in a list of runs. */
export interface RunSummary {
  readonly folder: string;
  readonly condition: RunCondition;
  /** Why it failed, or what is damaged. */
  readonly message?: string;
  /** Absent where the manifest cannot be read. */
  readonly experiment?: string;
  readonly seed?: number;
  /** When it began: UTC, ISO 8601. */
  readonly started?: string;
  /** Seconds at work so far, all parts together. */
  readonly elapsed?: number;
  /** How far it is; absent where that is not known. */
  readonly progress?: ShownRunProgress;
  /** Its newest measured result; absent where nothing was measured. */
  readonly result?: RunResultText;
  readonly bytes: number;
}

/** What a run's folder tells of it. Never throws for damaged runs: their condition says so. */
export function summaryOf(folder: string): RunSummary {
  const bytes = bytesIn(folder);
  let known: Partial<RunSummary> = {};
  try {
    const { experiment, manifest } = openRunFolder(folder);
    known = facts(manifest);
    const events = readTold(metricsPath(folder));
    const state = events.reduce(reduce, NOTHING_TOLD);
    known = {
      ...known,
      elapsed: state.elapsed,
      ...defined("result", lastResult(factsOf(state), experiment)),
      ...defined(
        "progress",
        progressOf(experiment, state, (stage) => recordedCount(folder, stage)),
      ),
    };
    checkCheckpoints(folder, experiment);
    const { condition, message } = conditionOf(folder, state);
    const goesOn = condition === "stopped" || condition === "failed";
    // A process at work changes the logs and their notes one after the other.
    if (condition !== "running") checkSavedLogs(folder, { goesOn });
    if (goesOn) checkToldCheckpoints(folder, events);
    return { folder, ...known, condition, ...defined("message", message), bytes };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { folder, ...known, condition: "damaged", message: error.message, bytes };
  }
}

function facts({ name, seed, started }: RunManifest): Pick<RunSummary, "experiment" | "seed" | "started"> {
  return { experiment: name, seed, started };
}

/** The condition of a run whose files can be read. */
export function conditionOf(
  folder: string,
  { ended }: Pick<RunState, "ended">,
): { readonly condition: Exclude<RunCondition, "damaged">; readonly message?: string | undefined } {
  if (processAtWork(folder) !== undefined) return { condition: "running" };
  if (ended === undefined) return { condition: "stopped" };
  const { message, outcome } = ended;
  return { condition: outcome === "interrupted" ? "stopped" : outcome, message };
}

/** Throws CheckpointUnusable where a checkpoint has lost a file, or a part of one. Contents are not read. */
function checkCheckpoints(folder: string, { nets }: Experiment): void {
  for (const net of Object.keys(nets))
    for (const { path } of checkpointFolders(checkpointsPath(folder, net)))
      for (const [name, { bytes }] of Object.entries(readManifest(path).files))
        if (bytesIn(join(path, name)) !== bytes)
          throw new CheckpointUnusable({ path, reason: `its file ${name} is missing, or not of its length` });
}

function isDamage(error: unknown): error is Error {
  return [RunFolderInvalid, FileCorrupt, CheckpointUnusable].some((kind) => error instanceof kind);
}

function defined<K extends string, V>(key: K, value: V | undefined): { readonly [key in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [key in K]: V });
}
