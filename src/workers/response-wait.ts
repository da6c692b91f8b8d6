import type { OutsideProgram } from "./outside-program.ts";

/** A response that comes within the first slice costs no look at the program. */
const SLICES = 20;
/** The longest slice, in milliseconds. */
const LONGEST_SLICE_MS = 500;
/** The longest wait on the wall clock, in limits. */
const MOST_WALL = 10;

/** What a wait asks of a program. */
export type WatchedProgram = Pick<OutsideProgram, "processorSeconds" | "wantsProcessor">;

/**
 * The wait for one response of another program. Its limit counts the program's own time: the time in which the program sleeps, as one
 * that hangs does, and while it computes the processor time that it gets. So a program is not taken for one that hangs
 * because the machine is busy. Time in which the system does not report what the program does counts in full. In any case the wait ends
 * after ten limits.
 *
 * The wait goes in slices: the program is looked at between them.
 */
export class ResponseWait {
  readonly #program: WatchedProgram;
  readonly #limitMs: number;
  readonly #begun: number;
  /** The program's own time so far, in milliseconds. */
  #own = 0;
  /** The end of the slice under way, and its begin. */
  #sliceEnd: number;
  #sliceBegin: number;
  #seconds: number | undefined;

  constructor(program: WatchedProgram, limitMs: number) {
    this.#program = program;
    this.#limitMs = limitMs;
    this.#begun = this.#sliceBegin = performance.now();
    this.#sliceEnd = this.#begun + this.#slice();
  }

  /** The milliseconds to wait next; 0 if the wait is over. */
  next(): number {
    const now = performance.now();
    if (now < this.#sliceEnd) return this.#sliceEnd - now;
    const passed = now - this.#sliceBegin;
    const seconds = this.#program.processorSeconds();
    const computed = seconds === undefined ? NaN : 1000 * (seconds - (this.#seconds ?? NaN));
    const computes = computed >= 0 && this.#program.wantsProcessor() === true;
    this.#own += computes ? Math.min(passed, computed) : passed;
    this.#seconds = seconds;
    if (this.#own >= this.#limitMs || now - this.#begun >= MOST_WALL * this.#limitMs) return 0;
    this.#sliceBegin = now;
    this.#sliceEnd = now + this.#slice();
    return this.#sliceEnd - now;
  }

  /** How long it lasted, in words: with the time on the wall clock if the program waited for a processor. */
  get text(): string {
    const wall = Math.round(performance.now() - this.#begun);
    return wall - this.#own < this.#limitMs / SLICES
      ? `${this.#limitMs} ms`
      : `${Math.round(this.#own)} ms of its own time (${wall} ms on the clock: the machine is busy)`;
  }

  #slice(): number {
    const left = Math.max(1, this.#limitMs - this.#own);
    return Math.min(LONGEST_SLICE_MS, Math.max(1, this.#limitMs / SLICES), left);
  }
}
