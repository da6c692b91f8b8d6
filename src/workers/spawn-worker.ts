import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { startWorker, type WorkerOptions, type WorkerThread } from "./worker-thread.ts";

/** Starts a thread that is stopped when the scope closes. */
export const spawnWorker = <In, Out>(
  options: WorkerOptions,
): Effect.Effect<WorkerThread<In, Out>, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => startWorker<In, Out>(options)),
    (thread) => Effect.promise(() => thread.stop()),
  );
