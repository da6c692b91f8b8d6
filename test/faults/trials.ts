import { appendFileSync } from "node:fs";

/** A line says at least so often how far trials are. */
const EVERY_MS = 30_000;

/**
 * Counts the cases of a suite by what came of them, and says how far it is. `npm run campaign` reads what was counted from the file
 * that it names in `LUDOFLOW_TRIALS`.
 */
export class Trials {
  readonly #suite: string;
  readonly #planned: number;
  readonly #outcomes = new Map<string, number>();
  readonly #failures: Error[] = [];
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

  /** Tries a case and counts what came of it. One that fails is told at once and fails the suite at its end, after all others. */
  async attempt(trial: () => Promise<string>): Promise<string> {
    let outcome = "failed";
    try {
      outcome = await trial();
    } catch (error) {
      this.#failures.push(error as Error);
      console.log((error as Error).message);
    }
    this.count(outcome);
    return outcome;
  }

  /** How many cases came to this. */
  of(outcome: string): number {
    return this.#outcomes.get(outcome) ?? 0;
  }

  /** Says what came of all cases, and keeps it where a file is named. Throws what has failed. */
  end(): void {
    const outcomes = Object.fromEntries(this.#outcomes);
    console.log(`${this.#suite}: ${this.#tried} in ${this.#seconds(performance.now())} s`, outcomes);
    if (this.#failures.length > 0)
      throw new AggregateError(
        this.#failures,
        `${this.#failures.length} of ${this.#tried} have failed:\n${this.#failures.map(({ message }) => message).join("\n\n")}`,
      );
    const file = process.env["LUDOFLOW_TRIALS"];
    if (file === undefined) return;
    appendFileSync(file, `${JSON.stringify({ suite: this.#suite, tried: this.#tried, outcomes })}\n`);
  }

  #seconds(now: number): string {
    return ((now - this.#begun) / 1000).toFixed(0);
  }
}
