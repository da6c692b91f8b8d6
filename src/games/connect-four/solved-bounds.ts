/** No score is as low or as high. */
const LEAST = -127;
const MOST = 127;

/**
 * Lower and upper bounds of scores by position, in a table of fixed size. A new position replaces the one before it at its
 * place. Positions are distinguished exactly, by keys of 64 bits; a key is never 0.
 */
export class SolvedBounds {
  /** By entry: the bounds. */
  readonly lower: Int8Array;
  readonly upper: Int8Array;
  readonly #low: Int32Array;
  readonly #high: Int32Array;
  readonly #shift: number;

  /** A table of 2^bits entries. */
  constructor(bits: number) {
    const entries = 2 ** bits;
    this.lower = new Int8Array(entries);
    this.upper = new Int8Array(entries);
    this.#low = new Int32Array(entries);
    this.#high = new Int32Array(entries);
    this.#shift = 32 - bits;
  }

  /** The entry of a position, or -1. */
  find(low: number, high: number): number {
    const at = this.#place(low, high);
    return this.#low[at] === low && this.#high[at] === high ? at : -1;
  }

  /** Notes that the score is at least so much. */
  raise(low: number, high: number, bound: number): void {
    const at = this.#entry(low, high);
    if (bound > this.lower[at]!) this.lower[at] = bound;
  }

  /** Notes that the score is at most so much. */
  lowerTo(low: number, high: number, bound: number): void {
    const at = this.#entry(low, high);
    if (bound < this.upper[at]!) this.upper[at] = bound;
  }

  /** Notes the score. */
  settle(low: number, high: number, score: number): void {
    const at = this.#entry(low, high);
    this.lower[at] = score;
    this.upper[at] = score;
  }

  /** The entry of a position, without bounds if it is new. */
  #entry(low: number, high: number): number {
    const at = this.#place(low, high);
    if (this.#low[at] !== low || this.#high[at] !== high) {
      this.#low[at] = low;
      this.#high[at] = high;
      this.lower[at] = LEAST;
      this.upper[at] = MOST;
    }
    return at;
  }

  #place(low: number, high: number): number {
    let hash = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca77);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    return (hash ^ (hash >>> 13)) >>> this.#shift;
  }
}
