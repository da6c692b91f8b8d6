import type { Worker, WorkerOptions } from "node:worker_threads";

/** How a thread is to fail. */
export interface Failure {
  readonly how: "throw" | "exit" | "fill its heap";
  /** The response at which it fails; that response is not sent. */
  readonly atRequest: number;
  /** Becomes 1 with the first failure, after which no thread fails any more; always 0 lets every thread fail. */
  readonly done: Int32Array;
  /** Whether a thread that takes the place of one that failed fails too. */
  readonly again: boolean;
}

/** What a failing thread is started with, besides its own data. */
export interface FailingData {
  readonly module: string;
  readonly failure: Failure;
  readonly data: unknown;
}

/** All threads that a test has started, and which of them are to fail. */
export class WatchedThreads {
  readonly started: { readonly name: string; readonly worker: Worker }[] = [];
  /** Failures by the beginning of the thread's name. */
  failures: Readonly<Record<string, Failure>> = {};

  /** `node:worker_threads` with a Worker that is watched: for `vi.mock`. */
  watch(real: typeof import("node:worker_threads")): typeof import("node:worker_threads") {
    const failureOf = (name: string) =>
      Object.entries(this.failures).find(([beginning]) => name.startsWith(beginning))?.[1];
    const note = (name: string, worker: Worker) => void this.started.push({ name, worker });
    class WatchedWorker extends real.Worker {
      constructor(module: URL, options: WorkerOptions & { readonly name: string }) {
        const failure = failureOf(options.name);
        if (failure === undefined) super(module, options);
        else {
          const data: FailingData = { module: module.href, failure, data: options.workerData };
          super(new URL("./failing-thread.ts", import.meta.url), {
            ...options,
            workerData: data,
            // What it can fill soon.
            ...(failure.how === "fill its heap" ? { resourceLimits: { maxOldGenerationSizeMb: 64 } } : {}),
          });
        }
        note(options.name, this);
      }
    }
    return { ...real, Worker: WatchedWorker };
  }

  /** Names of threads that still run. */
  running(): string[] {
    return this.started.filter(({ worker }) => worker.threadId !== -1).map(({ name }) => name);
  }

  reset(): void {
    this.started.length = 0;
    this.failures = {};
  }
}

/** A failure that happens once. */
export function failsOnce(how: Failure["how"], atRequest: number): Failure {
  return { how, atRequest, done: new Int32Array(new SharedArrayBuffer(4)), again: false };
}
