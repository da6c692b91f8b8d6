import type { EvaluationRequest } from "../../../games/evaluation.ts";
import type { Slot } from "../../../workers/slots.ts";
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
  /** The slot's packed floats as words. */
  readonly #words: Int32Array;
  /** Packed bytes, and packed floats, in a row. */
  readonly #bytes: number;
  readonly #floats: number;

  /** Throws RangeError if the images of one position do not fit into the slot. */
  constructor(slot: Slot, images: number) {
    if (slot.capacity < images)
      throw new RangeError(`a batch of ${slot.capacity} rows has no room for ${images} images of a position`);
    this.slot = slot;
    this.images = images;
    this.firstKeys = new Int32Array(slot.capacity);
    this.secondKeys = new Int32Array(slot.capacity);
    this.#words = new Int32Array(slot.floats.buffer);
    this.#bytes = slot.bytes.length / slot.capacity;
    this.#floats = slot.floats.length / slot.capacity;
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
    const { bytes, gather, starts } = this.slot;
    const at = starts[rows]!;
    key.begin();
    key.add(bytes, rows * this.#bytes, (rows + 1) * this.#bytes, 0);
    key.add(this.#words, rows * this.#floats, (rows + 1) * this.#floats, this.#bytes);
    key.add(gather, at, at + count, this.#bytes + this.#floats);
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
