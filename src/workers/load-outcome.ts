/**
 * Shared memory in which a thread reports whether it has loaded a net. The thread that waits blocks until then, so it receives
 * no events. A thread that has the memory as `outcome` of its data also reports there why it could not begin.
 */
export interface LoadOutcome {
  readonly state: Int32Array;
  /** The reason if it could not, in UTF-8, followed by zeros. */
  readonly reason: Uint8Array;
}

const WAITING = 0;
const LOADED = 1;
const FAILED = 2;
/** Bytes of a reason; a longer one is truncated. */
const LONGEST = 4096;

/** An outcome that is not known yet. */
export function newLoadOutcome(): LoadOutcome {
  return {
    state: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
    reason: new Uint8Array(new SharedArrayBuffer(LONGEST)),
  };
}

/** Reports that the net is loaded or, with a reason, that it cannot be. */
export function reportLoaded({ state, reason }: LoadOutcome, failure?: string): void {
  if (failure !== undefined) reason.set(new TextEncoder().encode(failure).subarray(0, LONGEST));
  Atomics.store(state, 0, failure === undefined ? LOADED : FAILED);
  Atomics.notify(state, 0);
}

/** From now on, reports there what ends this thread, before it has loaded the net or later. */
export function reportEnd(outcome: LoadOutcome): void {
  process.on("uncaughtExceptionMonitor", (error) => reportLoaded(outcome, error.message));
  process.on("exit", (code) => {
    if (Atomics.load(outcome.state, 0) !== FAILED)
      reportLoaded(outcome, `its thread has ended with code ${code}`);
  });
}

/** Blocks until the net is loaded; returns the reason if it cannot be, or if its thread has ended since. */
export function awaitLoaded({ state, reason }: LoadOutcome): string | undefined {
  Atomics.wait(state, 0, WAITING);
  if (Atomics.load(state, 0) === LOADED) return undefined;
  return new TextDecoder().decode(reason.slice()).replace(/\0+$/, "");
}
