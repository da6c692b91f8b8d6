import { moduleBeside } from "../module-beside.ts";
import { getCompileCacheDir } from "node:module";
import { getHeapStatistics } from "node:v8";
import { setTimeout } from "node:timers/promises";
import { type Transferable, Worker, type WorkerOptions as ThreadOptions } from "node:worker_threads";
import { isNumberUnsound } from "../messages/number-unsound.ts";
import type { Device } from "../compute/engine.ts";
import { connectionFor } from "../compute/onnx/device-connection.ts";
import { outsidePlace, placedMessage } from "../messages/outside-place.ts";
import { type ThreadPreparation, threadPreparation } from "./thread-preparation.ts";

/** A worker thread threw an error, or ended before it was stopped. */
export class WorkerCrashed extends Error {
  readonly _tag = "WorkerCrashed";
  /** The thread's name: `games 1`. */
  readonly thread: string;
  readonly reason: string;
  /** Whether the thread is not to blame, but the code of a plug-in or an unsound number: it would happen again. */
  readonly outside: boolean;

  constructor({
    thread,
    reason,
    outside = false,
  }: {
    readonly thread: string;
    readonly reason: string;
    readonly outside?: boolean;
  }) {
    super(outside ? reason : `worker thread "${thread}" ended unexpectedly: ${reason}`);
    this.name = "WorkerCrashed";
    this.thread = thread;
    this.reason = reason;
    this.outside = outside;
  }
}

/** How a thread is started. */
export interface WorkerOptions {
  /** Shown in errors and debuggers. */
  readonly name: string;
  /** The thread's module, from `moduleBeside`. */
  readonly module: URL;
  /** Becomes the thread's `workerData`. */
  readonly data: unknown;
  /** The device that the thread computes nets on; absent for a thread that computes none. `data` must then be an object. */
  readonly device?: Device;
  /**
   * Requests that a thread that computes in native code end itself, by `endThread` in its own code: to terminate a thread
   * in the middle of a native call would end the whole process. Absent for threads of plain code.
   */
  readonly dismiss?: (thread: Worker) => void;
}

/** Milliseconds that a thread has to end itself before it is terminated. */
const PATIENCE = 10_000;

/** A running worker thread. */
export interface WorkerThread<In, Out> {
  readonly name: string;
  post(message: In, transfer?: readonly Transferable[]): void;
  /** Calls `listen` for every message from the thread. */
  onMessage(listen: (message: Out) => void): void;
  /** Calls `listen` once if the thread crashes; at once if it has crashed already. Returns a function that removes it. */
  onCrash(listen: (error: WorkerCrashed) => void): () => void;
  /** Allows the process to end while the thread is running. */
  release(): void;
  /** Ends the thread after it has left native code. Later crashes are not reported. */
  stop(): Promise<void>;
}

/** Starts a thread; the caller must stop it. Throws WorkerCrashed if the system gives no thread. */
export function startWorker<In, Out>(options: WorkerOptions): WorkerThread<In, Out> {
  const worker = opened(options);
  let crash: WorkerCrashed | undefined;
  let stopping = false;
  const crashListeners = new Set<(error: WorkerCrashed) => void>();
  const crashed = (reason: string, outside = false) => {
    if (stopping || crash !== undefined) return;
    crash = new WorkerCrashed({ thread: options.name, reason: `${reason}${remedyOf(reason)}`, outside });
    for (const listen of crashListeners) listen(crash);
  };
  worker.on("error", (error: NodeJS.ErrnoException) =>
    error.code === "ERR_WORKER_OUT_OF_MEMORY"
      ? crashed("its heap is used up")
      : crashed(placedMessage(error), outsidePlace(error) !== undefined || isNumberUnsound(error)),
  );
  worker.on("messageerror", (error) => crashed(`a message could not be read: ${error.message}`));
  const gone = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  worker.on("exit", (code) => crashed(`it exited with code ${code}`));
  return {
    name: options.name,
    post: (message, transfer) => worker.postMessage(message, transfer ?? []),
    onMessage: (listen) => void worker.on("message", listen),
    onCrash: (listen) => {
      if (crash !== undefined) listen(crash);
      else crashListeners.add(listen);
      return () => void crashListeners.delete(listen);
    },
    release: () => worker.unref(),
    stop: async () => {
      stopping = true;
      if (options.dismiss !== undefined) {
        options.dismiss(worker);
        const late = new AbortController();
        await Promise.race([gone, after(PATIENCE, late.signal)]);
        late.abort();
      }
      await worker.terminate();
    },
  };
}

/** The remedy if a thread has ended for this reason; "" if none is known. */
function remedyOf(reason: string): string {
  if (/\bE[MN]FILE\b/.test(reason)) return "; raise the limit of open files (ulimit -n)";
  if (reason !== "its heap is used up") return "";
  const mebibytes = Math.round(getHeapStatistics().heap_size_limit / 2 ** 20);
  return `; each thread may take ${mebibytes} MiB: give it more, for example by NODE_OPTIONS=--max-old-space-size=${2 * mebibytes}`;
}

/** Ends the calling thread, as `dismiss` requests: while plain code is running, no native call is under way. */
export function endThread(): never {
  // In a worker thread this ends only the thread.
  return process.exit(0);
}

/** Waits for this time or until the signal; does not keep the process alive. */
async function after(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}

/** The start message of a thread that prepares itself. */
export interface ThreadStart {
  /** The URL of its own module. */
  readonly module: string;
  readonly preparation: ThreadPreparation;
}

/** Opens a thread. Throws an error with a readable message if the system refuses. */
function opened({ data, device, module, name }: WorkerOptions): Worker {
  try {
    const connection = connectionFor(device);
    const workerData = device === undefined ? data : { ...(data as object), ...connection.data };
    return open(module, { workerData, transferList: [...connection.ports], name });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_WORKER_INIT_FAILED") throw error;
    const reason = "the system gives no further thread; raise the limit (ulimit -u), or use fewer workers";
    throw new WorkerCrashed({ thread: name, reason, outside: false });
  }
}

/** Opens a thread that uses the compile cache of this thread and prepares itself, if there is something to prepare. */
function open(module: URL, options: ThreadOptions): Worker {
  const preparation = threadPreparation();
  const start: ThreadStart | undefined = preparation && { module: module.href, preparation };
  const first = start === undefined ? module : moduleBeside("prepared-thread", import.meta.url);
  return new Worker(getCompileCacheDir() === undefined ? first : cached(first), {
    ...options,
    ...(start === undefined ? {} : { argv: [JSON.stringify(start)] }),
  });
}

/**
 * A module that runs `module` with the compile cache on disk, which Node does not enable in threads. It is plain JavaScript: to read
 * one in TypeScript, which is what runs from source, each thread would load what strips types before the cache is there to spare it.
 */
function cached(module: URL): URL {
  const code = `import { enableCompileCache } from "node:module"; enableCompileCache(); await import("${module.href}");`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}
