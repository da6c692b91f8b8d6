/** The clock is read once in this many calls of `spent`: reading it costs as much as searching a small node. */
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

  /** Whether the time is up. Most calls do not read the clock. */
  spent(): boolean {
    if (this.#end === Infinity || ++this.#checks % CHECKS_PER_READING !== 0) return false;
    return performance.now() >= this.#end;
  }
}
