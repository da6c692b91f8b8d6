import { ComputeUnavailable } from "../compute/engine.ts";
import { FileCorrupt } from "../formats/file-corrupt.ts";
import { FileNotWritten } from "../formats/file-not-written.ts";
import { ExperimentInvalid } from "../graph/problem.ts";
import { RunFolderInvalid } from "../graph/run-folder.ts";
import { ProgramMissing } from "../operators/experiment/gtp-program.ts";
import { CheckpointUnusable } from "../operators/run/run-error.ts";

/** A mistake in what a command was asked, told in its message. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

const mistakes = [
  UsageError,
  ExperimentInvalid,
  RunFolderInvalid,
  CheckpointUnusable,
  ProgramMissing,
  ComputeUnavailable,
  FileCorrupt,
  FileNotWritten,
];

/**
 * Tells an error on standard error and gives the exit code: 2 for a mistake of the user's or something that cannot
 * be used, told without a stack trace; 1 for a bug, told with one.
 */
export function complain(error: unknown): number {
  const expected = mistakes.some((kind) => error instanceof kind);
  if (expected) process.stderr.write(`${(error as Error).message}\n`);
  else if (isRefusal(error)) {
    process.stderr.write(`${error.path ?? "a file or folder"} cannot be used: ${error.message}\n`);
    return 2;
  } else {
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`ludoflow has met a bug of its own; please report it with this trace:\n${trace}\n`);
  }
  return expected ? 2 : 1;
}

/** Whether the system has refused a file or folder: it is missing, of another kind, or not to be read. */
function isRefusal(error: unknown): error is NodeJS.ErrnoException {
  const { code, syscall } = Object(error) as NodeJS.ErrnoException;
  return error instanceof Error && syscall !== undefined && /^E[A-Z]+$/.test(code ?? "");
}
