import { join } from "node:path";
import { readEvents } from "../events/metrics-file.ts";
import { initialState, reduce } from "../events/run-state.ts";
import { ifKnown } from "../formats/if-known.ts";
import { FileCorrupt } from "../formats/files/file-corrupt.ts";
import { metricsPath, openRunFolder, type RunManifest } from "../graph/folder/run-folder.ts";
import { RunFolderInvalid } from "../graph/folder/run-folder-invalid.ts";
import { processAtWork } from "../graph/folder/run-lock.ts";
import { checkRecordedCheckpoints } from "../graph/folder/recorded-checkpoints.ts";
import { checkpointsPath } from "../operators/run/run-files.ts";
import { checkSavedLogs } from "../operators/run/saved-logs.ts";
import type { Experiment } from "../operators/experiment/open-experiment.ts";
import { checkpointFolders, readManifest } from "../operators/run/weights/checkpoint-files.ts";
import { CheckpointUnusable } from "../operators/run/run-error.ts";
import { bytesIn } from "./bytes-in.ts";
import type { LastResult } from "./last-result.ts";
import { type ListedCondition, listedCondition } from "./run-condition.ts";
import { type KnownProgress, recordedCount } from "./run-progress.ts";
import { RunStatus } from "./run-status.ts";

/** A run in a list of runs. */
export interface RunSummary {
  readonly folder: string;
  readonly condition: ListedCondition;
  /** Why it failed, or what is damaged. */
  readonly message?: string;
  /** Absent if the manifest cannot be read. */
  readonly experiment?: string;
  readonly seed?: number;
  /** When it began: UTC, ISO 8601. */
  readonly started?: string;
  /** Seconds at work so far, all parts together. */
  readonly elapsed?: number;
  /** How far it is; absent if that is not known. */
  readonly progress?: KnownProgress;
  /** Its newest measured result; absent if nothing was measured. */
  readonly result?: LastResult;
  readonly bytes: number;
}

/** The state of a run, read from its folder. Never throws for damaged runs: their condition says so. */
export function summaryOf(folder: string): RunSummary {
  const bytes = bytesIn(folder);
  let known: Partial<RunSummary> = {};
  try {
    const { experiment, manifest } = openRunFolder(folder);
    known = facts(manifest);
    const events = readEvents(metricsPath(folder));
    const state = events.reduce(reduce, initialState);
    const status = new RunStatus({ state, experiment, recorded: (stage) => recordedCount(folder, stage) });
    known = {
      ...known,
      elapsed: state.elapsed,
      ...ifKnown("result", status.result),
      ...ifKnown("progress", status.progress),
    };
    checkCheckpoints(folder, experiment);
    const hasProcess = processAtWork(folder) !== undefined;
    const condition = listedCondition(status.condition(hasProcess));
    const message = hasProcess ? undefined : state.ended?.message;
    const continues = condition === "stopped" || condition === "failed";
    // A process at work changes the logs and their notes one after the other.
    if (condition !== "running") checkSavedLogs(folder, { continues });
    if (continues) checkRecordedCheckpoints(folder, events);
    return { folder, ...known, condition, ...ifKnown("message", message), bytes };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { folder, ...known, condition: "damaged", message: error.message, bytes };
  }
}

function facts({ name, seed, started }: RunManifest): Pick<RunSummary, "experiment" | "seed" | "started"> {
  return { experiment: name, seed, started };
}

/** Throws CheckpointUnusable if a checkpoint has lost a file, or a part of one. Contents are not read. */
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
