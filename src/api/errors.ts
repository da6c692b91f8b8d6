import "./needs-node.ts";
import type { CodeNotAllowed } from "../graph/code/permission.ts";
import { outsidePlace, placedMessage } from "../messages/outside-place.ts";

/** What an error of this package is about. These codes are stable: programs may compare them. docs/api.md explains them. */
export type ErrorCode =
  | "ERR_EXPERIMENT"
  | "ERR_RUN_FOLDER"
  | "ERR_GAME"
  | "ERR_POSITION"
  | "ERR_AGENT"
  | "ERR_PLAYER"
  | "ERR_CHECKPOINT"
  | "ERR_PLUGIN"
  | "ERR_CODE_NOT_ALLOWED"
  | "ERR_PROGRAM_MISSING"
  | "ERR_COMPUTE"
  | "ERR_FILE_CORRUPT"
  | "ERR_FILE_NOT_WRITTEN"
  | "ERR_RUN_FAILED"
  | "ERR_INTERRUPTED";

/** A mistake in an experiment. */
export interface ExperimentProblem {
  /** Dotted path of the key or value: `graph.weights.batch`; empty for the whole. */
  readonly path: string;
  /** What is wrong, and what to do. */
  readonly message: string;
  /** The file; absent for an experiment that is an object. */
  readonly file?: string;
  /** Line and column in the file, from 1; absent if it has no place there. */
  readonly line?: number;
  readonly column?: number;
}

/** What a function of this package throws for mistakes of its caller and for what fails outside of the program. */
export class LudoflowError extends Error {
  override readonly name = "LudoflowError";
  readonly code: ErrorCode;
  /** With `ERR_EXPERIMENT`: all mistakes, in reading order. */
  readonly problems: readonly ExperimentProblem[];

  constructor(
    code: ErrorCode,
    message: string,
    {
      problems = [],
      cause,
    }: { readonly problems?: readonly ExperimentProblem[]; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.problems = problems;
  }
}

/** The codes of the errors inside, by their names. */
const codes: Readonly<Record<string, ErrorCode>> = {
  ExperimentInvalid: "ERR_EXPERIMENT",
  RunFolderInvalid: "ERR_RUN_FOLDER",
  GameNotOpened: "ERR_GAME",
  GameIncomplete: "ERR_GAME",
  RulesBroken: "ERR_GAME",
  AgentInvalid: "ERR_AGENT",
  SearchNotOpened: "ERR_AGENT",
  NetDoesNotFit: "ERR_AGENT",
  PlayerFailed: "ERR_PLAYER",
  SearchMistaken: "ERR_PLAYER",
  CheckpointUnusable: "ERR_CHECKPOINT",
  PluginInvalid: "ERR_PLUGIN",
  CodeNotAllowed: "ERR_CODE_NOT_ALLOWED",
  ProgramMissing: "ERR_PROGRAM_MISSING",
  ComputeUnavailable: "ERR_COMPUTE",
  NumberUnsound: "ERR_COMPUTE",
  FileCorrupt: "ERR_FILE_CORRUPT",
  FileNotWritten: "ERR_FILE_NOT_WRITTEN",
  RunFailed: "ERR_RUN_FAILED",
  WorkerCrashed: "ERR_RUN_FAILED",
};

/**
 * An error as callers see it: expected ones with their code, those of plug-ins with their file and line, bugs and errors of the
 * system as they are.
 */
export function publicError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof LudoflowError) return error;
  const { _tag: tag, problems } = error as { readonly _tag?: unknown; readonly problems?: readonly Placed[] };
  const code = codes[typeof tag === "string" ? tag : error.name] ?? codes[error.name];
  if (code === undefined)
    return outsidePlace(error) === undefined
      ? error
      : new LudoflowError("ERR_PLUGIN", placedMessage(error), { cause: error });
  return new LudoflowError(code, messageFor(code, error), {
    cause: error,
    ...(problems === undefined ? {} : { problems: problems.map(publicProblem) }),
  });
}

/** The message of an error; if it names a flag of the command as the remedy, with the remedy of programs. */
function messageFor(code: ErrorCode, error: Error): string {
  if (code !== "ERR_CODE_NOT_ALLOWED") return placedMessage(error);
  const refused = error as CodeNotAllowed;
  const remedies = [
    ...(refused.code.every(({ kind }) => kind === "plug-in")
      ? ["load the plug-in before with: await loadPlugins(PATH)"]
      : []),
    "give run, resume or check, if you call one of these, the option allowCode: true",
  ];
  return refused.withRemedy(`${remedies.join(", or ")} (docs/what-a-file-can-do.md)`);
}

/** A problem as it is inside: line 0 means none. */
interface Placed {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: string;
}

/** In place of a file, for experiments that are objects. */
export const OBJECT = "experiment";

/** A problem as callers see it. */
export function publicProblem({ file, line, column, path, message }: Placed): ExperimentProblem {
  return {
    path,
    message,
    ...(file === OBJECT ? {} : { file }),
    ...(line === 0 ? {} : { line, column }),
  };
}

/** Does something; expected errors are thrown with their code. */
export async function withPublicErrors<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw publicError(error);
  }
}
