/** How often the clock is read: once in so many questions, since reading it costs as much as a small node. */
const CHECKS_A_READING = 8;

/**
 * The time that one decision may take, in milliseconds of wall time.
 *
 * What a search finds within a budget depends on the machine and on what else it is doing: decisions under one are not
 * reproducible.
 */
export class TimeBudget {
  readonly #milliseconds: number;
  #end = Infinity;
  #checks = 0;

  /** A budget of this many milliseconds a decision; 0: no limit. */
  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** Whether there is a limit at all. */
  get limited(): boolean {
    return this.#milliseconds > 0;
  }

  /** The time of a decision begins. */
  start(): void {
    this.#end = this.limited ? performance.now() + this.#milliseconds : Infinity;
    this.#checks = 0;
  }

  /** Whether the time is up; reads the clock now and then only. */
  spent(): boolean {
    if (this.#end === Infinity || ++this.#checks % CHECKS_A_READING !== 0) return false;
    return performance.now() >= this.#end;
  }
}
