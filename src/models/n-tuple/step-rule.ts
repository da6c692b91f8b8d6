const { fround } = Math;

/** How the weights of one board move when its value is to change. */
export interface StepRule {
  /**
   * Moves the sum of the weights at `indices` towards `target`; returns the sum that they have then.
   *
   * The error, target - sum, is shared equally among the indices, and each weight moves by a part of its share. A
   * weight at several of the indices moves once: it counts as often in the sum, so that the whole error would be made
   * good, not a multiple of it, if every weight took its full share. Sums are those of every fourth index, of which
   * there is a multiple of four, side by side, added at the end: (s0 + s1) + (s2 + s3). What is done with weights is done
   * in float32, each operation rounded, so that four of them can go at a time.
   */
  step(weights: Float32Array, indices: Int32Array, target: number): number;
}

/** The same rate for every weight: w += rate x share. The sum returned is that before the new weights are rounded. */
export class FixedRate implements StepRule {
  readonly #rate: number;
  readonly #before: Float32Array;

  constructor(rate: number, lookups: number) {
    this.#rate = rate;
    this.#before = new Float32Array(lookups);
  }

  step(weights: Float32Array, indices: Int32Array, target: number): number {
    const lookups = indices.length;
    const before = this.#before;
    for (let i = 0; i < lookups; i++) before[i] = weights[indices[i]!]!;
    const sum = sumByFours(before);
    const change = fround(this.#rate * ((target - sum) / lookups));
    // Written from what it was, so that writing it again changes nothing.
    for (let i = 0; i < lookups; i++) weights[indices[i]!] = before[i]! + change;
    return sum + lookups * change;
  }
}

/**
 * (s0 + s1) + (s2 + s3), the sums of every fourth term, of which there is a multiple of four; each addition rounded to
 * float32.
 */
export function sumByFours(terms: Float32Array): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (let i = 0; i < terms.length; i += 4) {
    s0 = fround(s0 + terms[i]!);
    s1 = fround(s1 + terms[i + 1]!);
    s2 = fround(s2 + terms[i + 2]!);
    s3 = fround(s3 + terms[i + 3]!);
  }
  return fround(fround(s0 + s1) + fround(s2 + s3));
}

/** Far below the least error that matters: keeps the rate of a weight without errors at 1. */
export const LEAST: number = fround(1e-30);

/**
 * Temporal coherence: each weight has a rate of its own, |E| / A, where E sums its shares of all errors so far and A
 * their absolute values; 1 before the first (Beal and Smith 1999; Jaskowski 2018 for 2048). A weight whose errors
 * agree in sign moves by the whole share, one whose errors alternate comes to rest.
 *
 * E and A are float32, beside each other, so that a step touches two cache lines a weight.
 */
export class TemporalCoherence implements StepRule {
  /** [size, 2]: E and A of each weight. */
  readonly coherence: Float32Array;
  readonly #rate: number;
  readonly #before: Float32Array;
  readonly #errors: Float32Array;
  readonly #absolutes: Float32Array;

  constructor(rate: number, coherence: Float32Array, lookups: number) {
    this.#rate = rate;
    this.#errors = new Float32Array(lookups);
    this.#absolutes = new Float32Array(lookups);
    this.#before = new Float32Array(lookups);
    this.coherence = coherence;
  }

  step(weights: Float32Array, indices: Int32Array, target: number): number {
    const lookups = indices.length;
    const coherence = this.coherence;
    const before = this.#before;
    const errors = this.#errors;
    const absolutes = this.#absolutes;
    // All is read before anything is written: nearly twice as fast as weight by weight, where the processor cannot
    // tell that a read does not depend on the write before; and a weight that occurs twice is written twice the same.
    for (let i = 0; i < lookups; i++) {
      const index = indices[i]!;
      before[i] = weights[index]!;
      errors[i] = coherence[2 * index]!;
      absolutes[i] = coherence[2 * index + 1]!;
    }
    const exact = (target - sumByFours(before)) / lookups;
    const share = fround(exact);
    const magnitude = Math.abs(share);
    const full = fround(this.#rate * exact);
    for (let i = 0; i < lookups; i++) {
      const index = indices[i]!;
      const error = errors[i]!;
      const absolute = absolutes[i]!;
      // The rate of a weight that has seen no errors is 1; for all others LEAST is lost in rounding.
      const rate = fround(fround(Math.abs(error) + LEAST) / fround(absolute + LEAST));
      const weight = fround(before[i]! + fround(full * rate));
      weights[index] = weight;
      coherence[2 * index] = error + share;
      coherence[2 * index + 1] = absolute + magnitude;
      before[i] = weight;
    }
    return sumByFours(before);
  }
}
