import type { LearnerOptions, NamedArrays, SavedArrays } from "./tables.ts";
import { loadSparse, saveSparse } from "./sparse-table.ts";

/** How the weights of one board move when its value is to change. */
export interface StepRule {
  /**
   * Moves the sum of the weights at `indices` towards `target`; returns the sum that they have then
   * (before they are rounded to float32).
   *
   * The error, target - sum, is shared equally among the indices, and each weight moves by a part of its share. A
   * weight at several of the indices moves once: it counts as often in the sum, so that the whole error would be made
   * good, not a multiple of it, if every weight took its full share.
   */
  step(weights: Float32Array, indices: Int32Array, target: number): number;
  /** What the rule remembers besides the weights. */
  state(): SavedArrays;
  /** Makes a new rule go on from what `state` gave; an empty map is the beginning. Throws RangeError where it does not fit. */
  restore(saved: NamedArrays): void;
}

/** The rule for tables of `size` weights, of which a board looks up `lookups`. */
export function stepRule(step: LearnerOptions["step"], size: number, lookups: number): StepRule {
  return step.use === "tc"
    ? new TemporalCoherence(step.rate, size, lookups)
    : new FixedRate(step.rate, lookups);
}

/** The same rate for every weight: w += rate x share. */
export class FixedRate implements StepRule {
  readonly #rate: number;
  readonly #before: Float64Array;

  constructor(rate: number, lookups: number) {
    this.#rate = rate;
    this.#before = new Float64Array(lookups);
  }

  step(weights: Float32Array, indices: Int32Array, target: number): number {
    const lookups = indices.length;
    const before = this.#before;
    let sum = 0;
    for (let i = 0; i < lookups; i++) {
      const weight = weights[indices[i]!]!;
      before[i] = weight;
      sum += weight;
    }
    const change = (this.#rate * (target - sum)) / lookups;
    // Written from what it was, so that writing it again changes nothing.
    for (let i = 0; i < lookups; i++) weights[indices[i]!] = before[i]! + change;
    return sum + lookups * change;
  }

  state(): SavedArrays {
    return new Map();
  }

  restore(saved: NamedArrays): void {
    if (saved.size > 0) throw new RangeError("a fixed rate remembers nothing");
  }
}

/** Far below the least error that matters. */
const LEAST = 1e-30;

/**
 * Temporal coherence: each weight has a rate of its own, |E| / A, where E sums its shares of all errors so far and A
 * their absolute values; 1 before the first (Beal and Smith 1999; Jaskowski 2018 for 2048). A weight whose errors
 * agree in sign moves by the whole share, one whose errors alternate comes to rest.
 *
 * E and A are float32 in shared memory, beside each other, so that a step touches two cache lines a weight.
 */
export class TemporalCoherence implements StepRule {
  /** [size, 2]: E and A of each weight. */
  readonly coherence: Float32Array<SharedArrayBuffer>;
  readonly #rate: number;
  readonly #before: Float64Array;
  readonly #errors: Float64Array;
  readonly #absolutes: Float64Array;

  constructor(rate: number, size: number, lookups: number) {
    this.#rate = rate;
    this.#errors = new Float64Array(lookups);
    this.#absolutes = new Float64Array(lookups);
    this.#before = new Float64Array(lookups);
    this.coherence = new Float32Array(new SharedArrayBuffer(8 * size));
  }

  step(weights: Float32Array, indices: Int32Array, target: number): number {
    const lookups = indices.length;
    const coherence = this.coherence;
    const before = this.#before;
    const errors = this.#errors;
    const absolutes = this.#absolutes;
    // All is read before anything is written: nearly twice as fast as weight by weight, where the processor cannot
    // tell that a read does not depend on the write before; and a weight that occurs twice is written twice the same.
    let sum = 0;
    for (let i = 0; i < lookups; i++) {
      const index = indices[i]!;
      const weight = weights[index]!;
      before[i] = weight;
      errors[i] = coherence[2 * index]!;
      absolutes[i] = coherence[2 * index + 1]!;
      sum += weight;
    }
    const share = (target - sum) / lookups;
    const magnitude = Math.abs(share);
    const full = this.#rate * share;
    sum = 0;
    for (let i = 0; i < lookups; i++) {
      const index = indices[i]!;
      const error = errors[i]!;
      const absolute = absolutes[i]!;
      // The rate of a weight that has seen no errors is 1; for all others LEAST is lost in rounding.
      const rate = (Math.abs(error) + LEAST) / (absolute + LEAST);
      const weight = before[i]! + full * rate;
      weights[index] = weight;
      coherence[2 * index] = error + share;
      coherence[2 * index + 1] = absolute + magnitude;
      sum += weight;
    }
    return sum;
  }

  state(): SavedArrays {
    return saveSparse(this.coherence, 2);
  }

  restore(saved: NamedArrays): void {
    loadSparse(saved, this.coherence, 2);
  }
}
