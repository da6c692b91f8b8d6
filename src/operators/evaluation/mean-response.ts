import type { Slot } from "../../workers/slots.ts";

/**
 * Reads a net's response to a position from the rows of its symmetric images: the mean of their values, and the mean of
 * their priors. The priors of a row are the softmax over the logits of the legal actions.
 */
export class MeanResponse {
  /** The last response: values in turn order from the seat to move, then priors in the order of the legal actions. */
  readonly response: Float32Array;
  readonly #players: number;
  readonly #sums: Float64Array;
  readonly #weights: Float64Array;

  constructor(players: number, maxLegal: number) {
    this.#players = players;
    this.response = new Float32Array(players + maxLegal);
    this.#sums = new Float64Array(this.response.length);
    this.#weights = new Float64Array(maxLegal);
  }

  /** Reads the response in rows `first` to `first + images`; returns the number of its priors. */
  read({ starts, logits, values }: Slot, first: number, images: number): number {
    const players = this.#players;
    const sums = this.#sums;
    const count = starts[first + 1]! - starts[first]!;
    for (let i = 0; i < players + count; i++) sums[i] = 0;
    for (let row = first; row < first + images; row++) {
      for (let turn = 0; turn < players; turn++) sums[turn]! += values[row * players + turn]!;
      this.#addSoftmax(logits, starts[row]!, count);
    }
    for (let i = 0; i < players + count; i++) this.response[i] = sums[i]! / images;
    return count;
  }

  /** Adds the softmax of `count` logits from `start` on to the sums of priors. */
  #addSoftmax(logits: Float32Array, start: number, count: number): void {
    const players = this.#players;
    const weights = this.#weights;
    let best = -Infinity;
    for (let i = 0; i < count; i++) best = Math.max(best, logits[start + i]!);
    let total = 0;
    for (let i = 0; i < count; i++) total += weights[i] = Math.exp(logits[start + i]! - best);
    for (let i = 0; i < count; i++) this.#sums[players + i]! += weights[i]! / total;
  }
}
