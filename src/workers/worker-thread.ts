import { getCompileCacheDir } from "node:module";
import { setTimeout } from "node:timers/promises";
import { type Transferable, Worker, type WorkerOptions as ThreadOptions } from "node:worker_threads";

/** A worker thread threw, or ended before it was told to. */
export class WorkerCrashed extends Error {
  readonly _tag = "WorkerCrashed";
  /** The thread's name: `games 1`. */
  readonly thread: string;
  readonly reason: string;

  constructor({ thread, reason }: { readonly thread: string; readonly reason: string }) {
    super(`worker thread "${thread}" ended unexpectedly: ${reason}`);
    this.name = "WorkerCrashed";
    this.thread = thread;
    this.reason = reason;
  }
}

/** What a thread is to run. */
export interface WorkerOptions {
  /** Shown in errors and debuggers. */
  readonly name: string;
  /** The thread's module, from `workerModule`. */
  readonly module: URL;
  /** Becomes the thread's `workerData`. */
  readonly data: unknown;
  /**
   * Asks a thread that computes in native code to end by itself: with `endThread`, from its own code. Ended from outside
   * in the middle of a native call, it would take the process with it. Absent for threads of plain code.
   */
  readonly dismiss?: (thread: Worker) => void;
}

/** Milliseconds that a thread asked to end has for it, before it is ended from outside. */
const PATIENCE = 10_000;

/** A running worker thread. */
export interface WorkerThread<In, Out> {
  readonly name: string;
  post(message: In, transfer?: readonly Transferable[]): void;
  /** Calls back for every message from the thread. */
  onMessage(listen: (message: Out) => void): void;
  /** Calls back once if the thread crashes, at once if it already has. */
  onCrash(listen: (error: WorkerCrashed) => void): void;
  /** Lets the process end while the thread runs. */
  release(): void;
  /** Ends the thread, once it has left native code; a crash is no longer told after this. */
  stop(): Promise<void>;
}

/** Starts a thread; whoever starts it stops it. */
export function startWorker<In, Out>(options: WorkerOptions): WorkerThread<In, Out> {
  const worker = open(options.module, { workerData: options.data, name: options.name });
  let crash: WorkerCrashed | undefined;
  let stopping = false;
  const crashListeners: ((error: WorkerCrashed) => void)[] = [];
  const crashed = (reason: string) => {
    if (stopping || crash !== undefined) return;
    crash = new WorkerCrashed({ thread: options.name, reason });
    for (const listen of crashListeners) listen(crash);
  };
  worker.on("error", (error) => crashed(error instanceof Error ? error.message : String(error)));
  worker.on("messageerror", (error) => crashed(`a message could not be read: ${error.message}`));
  const gone = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  worker.on("exit", (code) => crashed(`it exited with code ${code}`));
  return {
    name: options.name,
    post: (message, transfer) => worker.postMessage(message, transfer ?? []),
    onMessage: (listen) => void worker.on("message", listen),
    onCrash: (listen) => {
      if (crash !== undefined) listen(crash);
      else crashListeners.push(listen);
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

/** The calling thread's end, as `dismiss` asks for it: no native call is under way when plain code is running. */
export function endThread(): never {
  // In a thread this ends the thread alone.
  return process.exit(0);
}

/** Waits so many milliseconds, or until the signal: the process need not stay for it. */
async function after(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}

/** The URL of a worker module beside `base`, with `base`'s own extension: `.ts` from source, `.js` when compiled. */
export function workerModule(name: string, base: string): URL {
  return new URL(`./${name}${base.slice(base.lastIndexOf("."))}`, base);
}

/** Opens a thread that shares the compiled code kept on disk with this one. */
function open(module: URL, options: ThreadOptions): Worker {
  if (getCompileCacheDir() === undefined) return new Worker(module, options);
  return new Worker(workerModule("cached-thread", import.meta.url), { ...options, argv: [module.href] });
}
