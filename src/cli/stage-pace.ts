import type { StagePace } from "../events/event.ts";

/** Number of newest events that rates are taken over: about so many seconds. */
const WINDOW = 10;

/** The newest paces of a stage, as text for its progress line. */
export class StagePaceText {
  #newest: StagePace[] = [];

  /** What the stage waits for, in words; undefined while it works. */
  get waitsFor(): string | undefined {
    return this.#newest.at(-1)?.waitsFor;
  }

  /** Takes in an event; waiting ends what earlier events told of work, and the other way round. */
  add(pace: StagePace): void {
    const before = this.#newest.at(-1);
    if (before !== undefined && (before.waitsFor === undefined) !== (pace.waitsFor === undefined))
      this.#newest = [];
    this.#newest.push(pace);
    if (this.#newest.length > WINDOW) this.#newest.shift();
  }

  /** The rates as parts of a line: `2.1 moves/s`, `1,690 positions/s`; while it waits, `waits for ...`. */
  parts(): string[] {
    if (this.waitsFor !== undefined) return [`waits for ${this.waitsFor}`];
    const rate = (key: "decisions" | "evaluations", unit: string) => {
      const sum = this.#newest.reduce((total, pace) => total + pace[key], 0);
      const seconds = this.#newest.reduce((total, pace) => total + pace.seconds, 0);
      return sum === 0 ? [] : [`${rateText(sum / seconds)} ${unit}/s`];
    };
    return [...rate("decisions", "moves"), ...rate("evaluations", "positions")];
  }
}

/** A rate with two digits, or as a whole number. */
export function rateText(rate: number): string {
  return rate >= 10 ? Math.round(rate).toLocaleString("en-US") : rate.toPrecision(2);
}
