import * as Data from "effect/Data";
import type { WorkerCrashed } from "../../workers/worker-thread.ts";

/** A run that cannot continue. The reason says what happened and what to do. */
export class RunFailed extends Data.TaggedError("RunFailed")<{
  readonly stage: string;
  readonly reason: string;
}> {
  override get message(): string {
    return `stage "${this.stage}": ${this.reason}`;
  }
}

/** A checkpoint that cannot be used: it is damaged, or of another net or game. */
export class CheckpointUnusable extends Data.TaggedError("CheckpointUnusable")<{
  readonly path: string;
  readonly reason: string;
}> {
  override get message(): string {
    return `checkpoint ${this.path}: ${this.reason}`;
  }
}

/** Every error that can end a run. */
export type RunError = RunFailed | CheckpointUnusable | WorkerCrashed;
