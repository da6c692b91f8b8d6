import type { EvaluatorFlow } from "../../../events/flow-event.ts";
import { ClockReader, IDLE, newClockWords, ThreadClock, WORKING } from "../../../workers/thread-clock.ts";

/** Indices into the counters of a thread. */
const ROWS = 0;
const BATCHES = 1;
const VERSIONS = 2;
const SIZES = 3;

/** Number of classes of batch sizes; the last one has all sizes from 2^23 on. */
const CLASSES = 24;

/** The shared memory in which a thread of an evaluator counts what it does; no message is sent for it. */
export interface MeterWords {
  /** [rows, batches, versions of the weights that are loaded, batches of 1 row, of 2 to 3, of 4 to 7, ...]. */
  readonly counts: BigInt64Array;
  readonly clock: BigInt64Array;
  /** [rows that were computed again to be compared, the largest relative difference since it was last read]. */
  readonly checks: Float64Array;
}

/** New counters for one thread, all 0: they can be posted to it. */
export function newMeterWords(): MeterWords {
  return {
    counts: new BigInt64Array(new SharedArrayBuffer(8 * (SIZES + CLASSES))),
    clock: newClockWords(),
    checks: new Float64Array(new SharedArrayBuffer(16)),
  };
}

/** Counts what a thread of an evaluator does: in the thread, once a batch. */
export class EvaluatorMeter {
  readonly #counts: BigInt64Array;
  readonly #clock: ThreadClock;
  readonly #checks: Float64Array;

  constructor({ checks, counts, clock }: MeterWords) {
    this.#checks = checks;
    this.#counts = counts;
    this.#clock = new ThreadClock(clock);
  }

  /** The thread has a batch to compute, or none. */
  busy(busy: boolean): void {
    this.#clock.begin(busy ? WORKING : IDLE);
  }

  /** Counts a batch that has been computed. */
  computed(rows: number): void {
    Atomics.add(this.#counts, ROWS, BigInt(rows));
    Atomics.add(this.#counts, BATCHES, 1n);
    Atomics.add(this.#counts, SIZES + Math.min(CLASSES - 1, 31 - Math.clz32(rows)), 1n);
  }

  /** Counts rows that were computed again, and their largest relative difference. */
  checked(rows: number, difference: number): void {
    this.#checks[0]! += rows;
    // A reader may reset the maximum in between: then the difference is reported twice or, once, not.
    this.#checks[1] = Math.max(this.#checks[1]!, difference);
  }

  /** Records how many versions of the weights are loaded. */
  loaded(versions: number): void {
    Atomics.store(this.#counts, VERSIONS, BigInt(versions));
  }
}

/** Reads what the threads of an evaluator do. */
export class EvaluatorReader {
  readonly #threads: readonly {
    readonly counts: BigInt64Array;
    readonly clock: ClockReader;
    readonly checks: Float64Array;
  }[];
  #last: readonly number[];
  /** Rows compared until the last call. */
  #checked = 0;

  constructor(threads: readonly MeterWords[]) {
    this.#threads = threads.map(({ checks, counts, clock }) => ({
      checks,
      counts,
      clock: new ClockReader(clock),
    }));
    this.#last = this.#sums();
  }

  /** Number of rows computed so far. */
  get rows(): number {
    return this.#sums()[ROWS]!;
  }

  /** What the threads did since the last call, `seconds` ago. */
  read(seconds: number): Omit<EvaluatorFlow, "type" | "evaluator" | "net"> {
    const now = this.#sums();
    const since = now.map((count, i) => count - this.#last[i]!);
    this.#last = now;
    const sizes = since.slice(SIZES);
    const checked = this.#readChecks();
    return {
      seconds,
      threads: this.#threads.length,
      batches: since[BATCHES]!,
      rows: since[ROWS]!,
      busy: this.#threads.reduce((sum, { clock }) => sum + clock.read().worked, 0),
      sizes: sizes.slice(0, sizes.findLastIndex((count) => count > 0) + 1),
      versions: Math.max(...this.#threads.map(({ counts }) => Number(Atomics.load(counts, VERSIONS)))),
      ...(checked.rows === 0 ? {} : { checked }),
    };
  }

  #readChecks(): { readonly rows: number; readonly largest: number } {
    const all = this.#threads.reduce((sum, { checks }) => sum + checks[0]!, 0);
    const rows = all - this.#checked;
    this.#checked = all;
    const largest = Math.max(...this.#threads.map(({ checks }) => checks[1]!));
    for (const { checks } of this.#threads) checks[1] = 0;
    return { rows, largest };
  }

  #sums(): number[] {
    return Array.from({ length: SIZES + CLASSES }, (_, i) =>
      this.#threads.reduce((sum, { counts }) => sum + Number(Atomics.load(counts, i)), 0),
    );
  }
}
