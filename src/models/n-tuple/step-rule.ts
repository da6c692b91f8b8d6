const { fround } = Math;

/** How the weights of a board change when its value moves towards a target. */
export interface StepRule {
  /**
   * Moves the sum of the weights at `indices` towards `target`; returns the new sum.
   *
   * The error, target - sum, is divided equally among the indices, and each weight moves by a part of its share. A weight
   * that occurs at several indices moves only once: since it counts several times in the sum, full shares would correct
   * the whole error and not a multiple of it. The number of indices is a multiple of four. Four sums, each of every fourth
   * index, are added at the end: (s0 + s1) + (s2 + s3). All arithmetic on weights is float32, rounded after each operation,
   * so that vector instructions can do four at a time.
   */
  step(weights: Float32Array, indices: Int32Array, target: number): number;
}

/** One rate for all weights: w += rate x share. The returned sum is the one before the new weights are rounded. */
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
    // Computed from the weight before the step, so that a weight that occurs twice gets the same number twice.
    for (let i = 0; i < lookups; i++) weights[indices[i]!] = before[i]! + change;
    return sum + lookups * change;
  }
}

/**
 * (s0 + s1) + (s2 + s3), where each s is the sum of every fourth term, each addition rounded to float32. The number of
 * terms is a multiple of four.
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

/** Far below any error that matters. It makes the rate of a weight without errors 1. */
export const LEAST: number = fround(1e-30);

/**
 * Temporal coherence: each weight has a rate of its own, |E| / A, where E is the sum of its shares of all errors so far and
 * A the sum of their absolute values; the rate is 1 before the first error (Beal and Smith 1999; Jaskowski 2018 for 2048).
 * A weight whose errors agree in sign moves by the whole share; a weight whose errors alternate comes to rest.
 *
 * E and A are float32 and lie side by side, so that a step touches two cache lines for each weight.
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
    // Everything is read before anything is written. This is nearly twice as fast as weight by weight: there the processor
    // cannot know that a read does not depend on the write before. A weight that occurs twice gets the same number twice.
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
