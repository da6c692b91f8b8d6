import { appendFileSync } from "node:fs";

/** A line says at least so often how far trials are. */
const EVERY_MS = 30_000;

/**
 * Counts the cases of a suite by what came of them, and says how far it is. `npm run trust` reads what was counted from the file
 * that it names in `LUDOFLOW_TRIALS`.
 */
export class Trials {
  readonly #suite: string;
  readonly #planned: number;
  readonly #outcomes = new Map<string, number>();
  #tried = 0;
  #begun = performance.now();
  #told = performance.now();

  constructor(suite: string, planned: number) {
    this.#suite = suite;
    this.#planned = planned;
  }

  /** Counts a case. */
  count(outcome: string): void {
    this.#tried++;
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
    const now = performance.now();
    if (now - this.#told < EVERY_MS) return;
    this.#told = now;
    console.log(`${this.#suite}: ${this.#tried} of ${this.#planned} after ${this.#seconds(now)} s`);
  }

  /** How many cases came to this. */
  of(outcome: string): number {
    return this.#outcomes.get(outcome) ?? 0;
  }

  /** Says what came of all cases, and keeps it where a file is named. */
  end(): void {
    const outcomes = Object.fromEntries(this.#outcomes);
    console.log(`${this.#suite}: ${this.#tried} in ${this.#seconds(performance.now())} s`, outcomes);
    const file = process.env["LUDOFLOW_TRIALS"];
    if (file === undefined) return;
    appendFileSync(file, `${JSON.stringify({ suite: this.#suite, tried: this.#tried, outcomes })}\n`);
  }

  #seconds(now: number): string {
    return ((now - this.#begun) / 1000).toFixed(0);
  }
}
