import type { Slot } from "../../../workers/slots.ts";

/**
 * Reads a net's response to a position from the rows of its symmetric images: the mean of their values, and the mean of
 * their priors.
 */
export class MeanResponse {
  /** The last response: values in turn order from the seat to move, then priors in the order of the legal actions. */
  readonly response: Float32Array;
  /** Whether all numbers of the last response are finite, and its priors are probabilities. */
  sound = true;
  readonly #players: number;
  readonly #sums: Float64Array;

  constructor(players: number, maxLegal: number) {
    this.#players = players;
    this.response = new Float32Array(players + maxLegal);
    this.#sums = new Float64Array(this.response.length);
  }

  /** Reads the response in rows `first` to `first + images`; returns the number of its priors. */
  read({ starts, priors, values }: Slot, first: number, images: number): number {
    const players = this.#players;
    const sums = this.#sums;
    const count = starts[first + 1]! - starts[first]!;
    for (let i = 0; i < players + count; i++) sums[i] = 0;
    for (let row = first; row < first + images; row++) {
      for (let turn = 0; turn < players; turn++) sums[turn]! += values[row * players + turn]!;
      const start = starts[row]!;
      for (let i = 0; i < count; i++) sums[players + i]! += priors[start + i]!;
    }
    let ofValues = 0;
    for (let i = 0; i < players; i++) ofValues += this.response[i] = sums[i]! / images;
    let ofPriors = 0;
    for (let i = players; i < players + count; i++) ofPriors += this.response[i] = sums[i]! / images;
    this.sound = Number.isFinite(ofValues) && (count === 0 || isDistribution(ofPriors));
    return count;
  }
}

/**
 * Whether priors with this sum are probabilities. They are a softmax, whose sum is 1 but for rounding. On some GPUs the softmax of NaN is
 * 0 everywhere.
 */
export function isDistribution(sum: number): boolean {
  return sum > 0.5 && sum < 2;
}
