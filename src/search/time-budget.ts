/** The clock is read once in this many steps: reading it costs as much as searching a small node. */
const CHECKS_PER_READING = 8;

/**
 * The wall time that one decision may take, in milliseconds.
 *
 * Decisions under a time budget are not reproducible: what a search finds in time depends on the machine and its load.
 */
export class TimeBudget {
  readonly #usual: number;
  /** That of the present decision. */
  #milliseconds: number;
  #end = Infinity;
  #checks = 0;

  /** `milliseconds` is the budget of one decision; 0 means no limit. */
  constructor(milliseconds: number) {
    this.#usual = this.#milliseconds = milliseconds;
  }

  /** Whether the present decision has a limit. */
  get limited(): boolean {
    return this.#milliseconds > 0;
  }

  /** Starts the time of a decision, which may have a budget of its own. */
  start(milliseconds = this.#usual): void {
    this.#milliseconds = milliseconds;
    this.#end = this.limited ? performance.now() + this.#milliseconds : Infinity;
    this.#checks = 0;
  }

  /** Whether the time is up, after this many steps since the last call. Most calls for one step do not read the clock. */
  spent(steps = 1): boolean {
    if (this.#end === Infinity) return false;
    this.#checks += steps;
    if (this.#checks < CHECKS_PER_READING) return false;
    this.#checks = 0;
    return performance.now() >= this.#end;
  }
}
