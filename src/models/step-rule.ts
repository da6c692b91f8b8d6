import type { LearnerOptions, NamedArrays, SavedArrays } from "./tables.ts";
import { loadSparse, saveSparse } from "./sparse-table.ts";

/** How the weights of one board move when its value is to change. */
export interface StepRule {
  /**
   * Moves the sum of the weights at `indices` towards `target`; returns the sum that they have then.
   *
   * The error, target - sum, is shared equally among the indices, and each weight moves by a part of its share. A
   * weight at several of the indices moves once: it counts as often in the sum, so that the whole error would be made
   * good, not a multiple of it, if every weight took its full share.
   */
  step(weights: Float32Array, indices: Int32Array, target: number): number;
  /** What the rule remembers besides the weights. */
  state(): SavedArrays;
  /** Goes on from what `state` gave; an empty map is the beginning. Throws RangeError where it does not fit. */
  restore(saved: NamedArrays): void;
}

/** The rule for tables of `size` weights, of which a board looks up `lookups`. */
export function stepRule(step: LearnerOptions["step"], size: number, lookups: number): StepRule {
  return step.use === "tc" ? new TemporalCoherence(step.rate, size, lookups) : new FixedRate(step.rate, lookups);
}

/** Copies the weights at the indices; returns their sum. */
function look(weights: Float32Array, indices: Int32Array, out: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < indices.length; i++) {
    const weight = weights[indices[i]!]!;
    out[i] = weight;
    sum += weight;
  }
  return sum;
}

/** The same rate for every weight: w += rate x share. */
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
    const change = (this.#rate * (target - look(weights, indices, before))) / lookups;
    let sum = 0;
    for (let i = 0; i < lookups; i++) {
      const weight = Math.fround(before[i]! + change);
      // Written from what it was, so that writing it again changes nothing.
      weights[indices[i]!] = weight;
      sum += weight;
    }
    return sum;
  }

  state(): SavedArrays {
    return new Map();
  }

  restore(saved: NamedArrays): void {
    if (saved.size > 0) throw new RangeError("a fixed rate remembers nothing");
  }
}

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
  readonly #before: Float32Array;

  constructor(rate: number, size: number, lookups: number) {
    this.#rate = rate;
    this.#before = new Float32Array(lookups);
    this.coherence = new Float32Array(new SharedArrayBuffer(8 * size));
  }

  step(weights: Float32Array, indices: Int32Array, target: number): number {
    const lookups = indices.length;
    const before = this.#before;
    const coherence = this.coherence;
    const share = (target - look(weights, indices, before)) / lookups;
    const magnitude = Math.abs(share);
    const full = this.#rate * share;
    let sum = 0;
    for (let i = 0; i < lookups; i++) {
      const index = indices[i]!;
      const weight = before[i]!;
      // A weight that is not what it was has had its step.
      const now = weights[index]!;
      if (now !== weight) {
        sum += now;
        continue;
      }
      const at = 2 * index;
      const errors = coherence[at]!;
      const absolute = coherence[at + 1]!;
      const stepped = Math.fround(weight + (absolute === 0 ? full : (full * Math.abs(errors)) / absolute));
      weights[index] = stepped;
      coherence[at] = errors + share;
      coherence[at + 1] = absolute + magnitude;
      sum += stepped;
    }
    return sum;
  }

  state(): SavedArrays {
    return saveSparse(this.coherence, 2);
  }

  restore(saved: NamedArrays): void {
    if (saved.size === 0) this.coherence.fill(0);
    loadSparse(saved, this.coherence, 2);
  }
}
