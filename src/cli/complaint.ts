import { ComputeUnavailable, ModelFailed } from "../compute/engine.ts";
import { FileCorrupt } from "../formats/files/file-corrupt.ts";
import { FileNotWritten } from "../formats/files/file-not-written.ts";
import { FleetUnavailable } from "../fleet/fleet-unavailable.ts";
import { GameNotOpened } from "../games/registry.ts";
import { ExperimentInvalid } from "../graph/problem.ts";
import { NetDoesNotFit } from "../models/definition.ts";
import { CodeNotAllowed } from "../graph/code/permission.ts";
import { RunFolderInvalid } from "../graph/folder/run-folder-invalid.ts";
import { NumberUnsound } from "../messages/number-unsound.ts";
import { outsidePlace, placedMessage } from "../messages/outside-place.ts";
import { UsageError } from "../messages/usage-error.ts";
import { PluginInvalid } from "../plugins/load-plugins.ts";
import { ProgramMissing } from "../protocols/gtp/program.ts";
import { CheckpointUnusable, RunFailed } from "../operators/run/run-error.ts";
import { OpeningsUnusable } from "../operators/play/openings/openings-unusable.ts";
import { WorkerCrashed } from "../workers/worker-thread.ts";

const mistakes = [
  UsageError,
  ExperimentInvalid,
  RunFolderInvalid,
  GameNotOpened,
  CheckpointUnusable,
  OpeningsUnusable,
  ProgramMissing,
  CodeNotAllowed,
  PluginInvalid,
  ComputeUnavailable,
  ModelFailed,
  NetDoesNotFit,
  FileCorrupt,
  FileNotWritten,
  FleetUnavailable,
];

/** Failures that can happen while something runs; the message says what happened. */
const failures = [RunFailed, WorkerCrashed, NumberUnsound];

/**
 * Writes an error to standard error and returns the exit code: 2 for a mistake of the user's or a file that cannot be
 * used, 1 for something that has failed while it ran, both written without a stack trace; 1 for a bug, written with one.
 */
export function complain(error: unknown): number {
  if (failures.some((kind) => error instanceof kind)) {
    process.stderr.write(`${(error as Error).message}\n`);
    return 1;
  }
  const expected = mistakes.some((kind) => error instanceof kind);
  if (expected) process.stderr.write(`${(error as Error).message}\n`);
  else if (isRefusal(error)) {
    process.stderr.write(`${error.path ?? "a file or folder"} cannot be used: ${error.message}\n`);
    return 2;
  } else if (outsidePlace(error) !== undefined) {
    // An error in the user's own code is not a bug of ludoflow.
    process.stderr.write(`${placedMessage(error)}\n`);
  } else {
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`internal error in ludoflow; please report it with this stack trace:\n${trace}\n`);
  }
  return expected ? 2 : 1;
}

/** Whether the system has refused a file or folder: it is missing, is of another kind, or cannot be read. */
function isRefusal(error: unknown): error is NodeJS.ErrnoException {
  const { code, syscall } = Object(error) as NodeJS.ErrnoException;
  return error instanceof Error && syscall !== undefined && /^E[A-Z]+$/.test(code ?? "");
}
