/** The wall clock is read about once in this time: a reading takes some 0.3 us, so all of them take about 1%. */
const READING_MS = 0.03;
/** Greatest number of steps between two readings: the next steps may be slower than the last ones. */
const MOST_STEPS = 64;

/** A time limit that has ended a search. */
export interface TimeLimit {
  /** The clock that counted it: the processor time of the thread, or the wall clock. */
  readonly clock: "processor" | "wall";
  readonly milliseconds: number;
}

/**
 * The time that one decision may take, in milliseconds: processor time of the calling thread if the budget can read it, else
 * wall time. On a busy machine a search gets as much processor time as on an idle one.
 *
 * A reading of the processor time costs more than one of the wall clock (2 to 4 us). A thread never gets more processor time
 * than passes on the wall, so the processor time is read only when the rest of it has passed on the wall: about twice in a
 * decision of an idle machine.
 *
 * Decisions under a time budget are not reproducible: what a search finds in time depends on the machine.
 */
export class TimeBudget {
  readonly #usual: number;
  readonly #threadSeconds: (() => number) | undefined;
  /** That of the present decision. */
  #limit: TimeLimit;
  /** Processor time of the thread at the start, in milliseconds. */
  #begun = NaN;
  /** The wall time at which the budget may be spent. */
  #end = Infinity;
  #read = 0;
  /** The reading at the start. */
  #first = 0;
  #steps = 0;
  /** Number of steps from the last reading to the next one. */
  #stride = 1;
  #reached = false;

  /**
   * `milliseconds` is the budget of one decision; 0 means no limit. `threadSeconds` reads the processor seconds of the calling
   * thread; absent, or if it reads NaN, the wall clock counts.
   */
  constructor(milliseconds: number, threadSeconds?: () => number) {
    this.#usual = milliseconds;
    this.#threadSeconds = threadSeconds;
    this.#limit = { clock: "wall", milliseconds };
  }

  /** Whether the present decision has a limit. */
  get limited(): boolean {
    return this.#limit.milliseconds > 0;
  }

  /** The limit, if the time of the present decision has been found to be up. */
  get reached(): TimeLimit | undefined {
    return this.#reached ? this.#limit : undefined;
  }

  /** Wall time from the start of a limited decision to the last reading of the clock, in milliseconds. */
  get elapsed(): number {
    return this.#read - this.#first;
  }

  /** The limit of a decision that starts with this wall time, or without one, in milliseconds; 0: none. */
  limitOf(wall?: number): number {
    return wall ?? this.#usual;
  }

  /** Starts the time of a decision. `wall` is a budget of wall time in place of the usual one, in milliseconds. */
  start(wall?: number): void {
    const milliseconds = wall ?? this.#usual;
    this.#reached = false;
    this.#end = Infinity;
    this.#begun = NaN;
    if (milliseconds > 0) {
      if (wall === undefined) this.#begun = 1000 * (this.#threadSeconds?.() ?? NaN);
      this.#first = this.#read = performance.now();
      this.#end = this.#read + milliseconds;
    }
    this.#limit = { clock: this.#begun >= 0 ? "processor" : "wall", milliseconds };
    this.#steps = 0;
    this.#stride = 1;
  }

  /** Whether the time is up, after this many steps since the last call. Most calls for a short step do not read the clock. */
  spent(steps = 1): boolean {
    if (this.#end === Infinity) return false;
    this.#steps += steps;
    if (this.#steps < this.#stride) return false;
    const now = performance.now();
    const most = Math.min(MOST_STEPS, 2 * this.#stride);
    this.#stride = Math.max(1, Math.min(most, (READING_MS * this.#steps) / (now - this.#read)));
    this.#read = now;
    this.#steps = 0;
    if (now < this.#end) return false;
    if (this.#limit.clock === "processor") {
      const left = this.#limit.milliseconds - (1000 * this.#threadSeconds!() - this.#begun);
      this.#end = now + left;
      this.#reached = left <= 0;
    } else this.#reached = true;
    return this.#reached;
  }
}
