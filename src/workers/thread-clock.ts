/** A thread has nothing to do. */
export const IDLE = 0;
/** It computes. */
export const WORKING = 1;
/** It can continue only when another thread has responded. */
export const WAITING = 2;

/** Indices into the shared words of a clock. The nanoseconds of an activity are at the activity's own index. */
const ACTIVITIES = 3;
const NOW = ACTIVITIES;
const SINCE = ACTIVITIES + 1;

/**
 * How long a thread worked, waited and was idle, in memory that it shares with the thread that reads it.
 *
 * To note a change takes less than a microsecond, and no message. A reading while the thread notes a change can be wrong by
 * that activity's time; the next reading corrects this.
 */
export class ThreadClock {
  readonly #words: BigInt64Array;

  /** Notes the activities of this thread in these words, which `newClockWords` made. The thread is idle at first. */
  constructor(words: BigInt64Array) {
    this.#words = words;
    Atomics.store(words, SINCE, process.hrtime.bigint());
  }

  /** Notes that the thread does something else from now on. */
  begin(activity: typeof IDLE | typeof WORKING | typeof WAITING): void {
    const words = this.#words;
    const now = process.hrtime.bigint();
    Atomics.add(words, Number(Atomics.load(words, NOW)), now - Atomics.load(words, SINCE));
    Atomics.store(words, NOW, BigInt(activity));
    Atomics.store(words, SINCE, now);
  }
}

/** The shared words of a clock. */
export function newClockWords(): BigInt64Array {
  return new BigInt64Array(new SharedArrayBuffer(8 * (SINCE + 1)));
}

/** Reads the clock of another thread. */
export class ClockReader {
  readonly #words: BigInt64Array;
  #last: readonly [worked: number, waited: number] = [0, 0];

  constructor(words: BigInt64Array) {
    this.#words = words;
  }

  /** Seconds that the thread has worked and waited since the last reading, the present activity included. */
  read(): { readonly worked: number; readonly waited: number } {
    const [worked, waited] = [this.#seconds(WORKING), this.#seconds(WAITING)];
    const before = this.#last;
    this.#last = [Math.max(worked, before[0]), Math.max(waited, before[1])];
    return { worked: this.#last[0] - before[0], waited: this.#last[1] - before[1] };
  }

  #seconds(activity: number): number {
    const words = this.#words;
    const since = Atomics.load(words, SINCE);
    const current = Number(Atomics.load(words, NOW)) === activity && since > 0n;
    const passed = current ? process.hrtime.bigint() - since : 0n;
    return Number(Atomics.load(words, activity) + passed) / 1e9;
  }
}
