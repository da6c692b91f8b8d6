/**
 * Count, mean, variance, least and greatest of numbers that come one at a time, in constant memory.
 *
 * Welford's update (Technometrics 4, 1962, p. 419): it keeps its precision when a difference of sums of squares would
 * lose it.
 */
export class Moments {
  #count = 0;
  #mean = 0;
  #squares = 0;
  #min = Infinity;
  #max = -Infinity;

  /** The moments of a list. */
  static of(values: Iterable<number>): Moments {
    const moments = new Moments();
    for (const value of values) moments.add(value);
    return moments;
  }

  add(value: number): void {
    this.#count++;
    const before = value - this.#mean;
    this.#mean += before / this.#count;
    this.#squares += before * (value - this.#mean);
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
  }

  get count(): number {
    return this.#count;
  }

  /** NaN for none. */
  get mean(): number {
    return this.#count > 0 ? this.#mean : NaN;
  }

  /** Unbiased: divided by count - 1; NaN for fewer than two. */
  get variance(): number {
    return this.#count > 1 ? this.#squares / (this.#count - 1) : NaN;
  }

  /** The root of `variance`. */
  get deviation(): number {
    return Math.sqrt(this.variance);
  }

  /** Infinity for none. */
  get min(): number {
    return this.#min;
  }

  /** -Infinity for none. */
  get max(): number {
    return this.#max;
  }
}
