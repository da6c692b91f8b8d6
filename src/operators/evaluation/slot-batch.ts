import type { EvaluationRequest } from "../../games/evaluation.ts";
import type { Slot } from "../../workers/slots.ts";
import type { PositionHash } from "./position-hash.ts";

/**
 * The positions that wait in one slot, each with the request that it belongs to. Position i has rows i * images to
 * (i + 1) * images of the slot.
 */
export class SlotBatch<S> {
  readonly slot: Slot;
  /** Rows of a position: one for each symmetric image that the net is shown. */
  readonly images: number;
  /** The request of each position, and the position's index in it. */
  readonly requests: EvaluationRequest<S>[] = [];
  readonly indices: number[] = [];
  /** The key of each position, in two halves. */
  readonly firstKeys: Int32Array;
  readonly secondKeys: Int32Array;
  /** Number of positions. */
  count = 0;
  /** The slot's features as words. */
  readonly #featureWords: Int32Array;
  /** Numbers in a row of features. */
  readonly #features: number;

  /** Throws RangeError where the images of one position do not fit into the slot. */
  constructor(slot: Slot, images: number) {
    if (slot.capacity < images)
      throw new RangeError(`a batch of ${slot.capacity} rows has no room for ${images} images of a position`);
    this.slot = slot;
    this.images = images;
    this.firstKeys = new Int32Array(slot.capacity);
    this.secondKeys = new Int32Array(slot.capacity);
    this.#featureWords = new Int32Array(slot.features.buffer);
    this.#features = slot.features.length / slot.capacity;
  }

  /** Number of rows in use; the next position begins with this row. */
  get rows(): number {
    return this.count * this.images;
  }

  /** Whether another position fits. */
  get hasRoom(): boolean {
    return this.rows + this.images <= this.slot.capacity;
  }

  /** Computes the key of the next position from its first row, which has been written with `count` gather indices. */
  makeKey(key: PositionHash, count: number): void {
    const { rows } = this;
    const features = this.#features;
    const { starts, gather } = this.slot;
    const at = starts[rows]!;
    key.begin();
    key.add(this.#featureWords, rows * features, (rows + 1) * features, 0);
    key.add(gather, at, at + count, features);
  }

  /** Adds a position whose rows have been written, to be evaluated with a version of the weights. */
  push(request: EvaluationRequest<S>, index: number, version: number, { first, second }: PositionHash): void {
    const { rows } = this;
    this.slot.versions.fill(version, rows, rows + this.images);
    this.requests.push(request);
    this.indices.push(index);
    this.firstKeys[this.count] = first;
    this.secondKeys[this.count] = second;
    this.count++;
  }

  /** Removes all positions. */
  clear(): void {
    this.requests.length = this.indices.length = 0;
    this.count = 0;
  }
}
