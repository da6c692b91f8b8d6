import type { PositionKey } from "./position-hash.ts";

/**
 * Selects the symmetries under which a net is shown a position, out of `count` symmetries with indices from 0: all of
 * them, or some drawn without repetition.
 *
 * The draw is a function of the key of the position. So a position has the same response whenever it is evaluated.
 */
export class LeafSymmetries {
  /** Number of images that the net is shown. */
  readonly images: number;
  /** The symmetries of these images, by index, after `draw`. */
  readonly drawn: Int32Array;
  readonly #all: Int32Array;

  constructor(count: number, images: number) {
    this.images = Math.min(count, images);
    this.#all = Int32Array.from({ length: count }, (_, number) => number);
    this.drawn = this.#all.slice(0, this.images);
  }

  /** Whether the symmetries depend on the key of the position. */
  get drawsAny(): boolean {
    return this.images < this.#all.length;
  }

  /** Draws the symmetries for a position into `drawn`. */
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
