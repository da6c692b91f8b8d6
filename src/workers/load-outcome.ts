/**
 * Where a thread tells whether it has loaded a net, for a thread that blocks until then and hears no event. A thread that has
 * it as `outcome` of its data also tells there why it could not begin.
 */
export interface LoadOutcome {
  readonly state: Int32Array;
  /** The reason where it could not, in UTF-8, followed by zeros. */
  readonly reason: Uint8Array;
}

const WAITING = 0;
const LOADED = 1;
const FAILED = 2;
/** Bytes of a reason; the rest of a longer one is cut off. */
const LONGEST = 4096;

/** An outcome that is not known yet. */
export function newLoadOutcome(): LoadOutcome {
  return {
    state: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
    reason: new Uint8Array(new SharedArrayBuffer(LONGEST)),
  };
}

/** Tells that the net is loaded or, with a reason, that it cannot be. */
export function tellLoaded({ state, reason }: LoadOutcome, failure?: string): void {
  if (failure !== undefined) reason.set(new TextEncoder().encode(failure).subarray(0, LONGEST));
  Atomics.store(state, 0, failure === undefined ? LOADED : FAILED);
  Atomics.notify(state, 0);
}

/** Tells there what ends this thread from now on, before it has loaded the net or later. */
export function tellEnd(outcome: LoadOutcome): void {
  process.on("uncaughtExceptionMonitor", (error) => tellLoaded(outcome, error.message));
  process.on("exit", (code) => {
    if (Atomics.load(outcome.state, 0) !== FAILED)
      tellLoaded(outcome, `its thread has ended with code ${code}`);
  });
}

/** Blocks until the net is loaded; returns the reason if it cannot be, or if its thread has ended since. */
export function awaitLoaded({ state, reason }: LoadOutcome): string | undefined {
  Atomics.wait(state, 0, WAITING);
  if (Atomics.load(state, 0) === LOADED) return undefined;
  return new TextDecoder().decode(reason.slice()).replace(/\0+$/, "");
}
