import type { PositionKey } from "./position-hash.ts";

/**
 * Which symmetric images of a position a net is shown, out of `count` numbered from 0: all of them, or a few drawn
 * without repetition.
 *
 * What is drawn is a function of the position's key, so that a position is answered the same whenever it is asked about.
 */
export class LeafSymmetries {
  /** How many images are shown. */
  readonly images: number;
  /** Their numbers, once drawn. */
  readonly drawn: Int32Array;
  readonly #all: Int32Array;

  constructor(count: number, images: number) {
    this.images = Math.min(count, images);
    this.#all = Int32Array.from({ length: count }, (_, number) => number);
    this.drawn = this.#all.slice(0, this.images);
  }

  /** Whether the images depend on the position's key. */
  get drawsAny(): boolean {
    return this.images < this.#all.length;
  }

  /** Draws the images of a position into `drawn`. */
  draw(key: PositionKey): void {
    const { drawn, images } = this;
    const all = this.#all;
    let word = key.first ^ 0x6c078965;
    for (let i = 0; i < all.length; i++) all[i] = i;
    for (let i = 0; i < images; i++) {
      word = Math.imul(word ^ (word >>> 15), 0x2c1b3c6d) + key.second;
      word = Math.imul(word ^ (word >>> 12), 0x297a2d39);
      const other = i + Math.floor(((word >>> 0) / 0x100000000) * (all.length - i));
      drawn[i] = all[other]!;
      all[other] = all[i]!;
    }
  }
}
