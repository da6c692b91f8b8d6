import type { PlaneEncoding, Planes } from "./game.ts";

/** The packed rows of a net's planes: what travels to a net in place of float planes. */
export interface PackedRows {
  /** Row-major [rows, `PlanePacker.bytes`]: the groups of `bits` and `bytes`. */
  readonly bytes: Uint8Array;
  /** Row-major [rows, `PlanePacker.floats`]: the groups of `uniform` and `floats`. */
  readonly floats: Float32Array;
}

/** The encoding of planes; those that declare none travel as floats. */
export function encodingOf<S>({ encoding, shape }: Planes<S>): readonly PlaneEncoding[] {
  return encoding ?? [{ as: "floats", channels: shape[2] }];
}

/** Bytes of a packed channel of `bits` or `bytes`, or floats of one of `uniform` or `floats`. */
export function packedChannel(as: PlaneEncoding["as"], cells: number): number {
  if (as === "uniform") return 1;
  return as === "bits" ? Math.ceil(cells / 8) : cells;
}

/**
 * Packs the planes of positions into rows of bytes and of floats, by the encoding that the planes declare.
 *
 * Groups follow each other in their order, and within a group channel follows channel. In a channel, cell i is bit i % 8
 * (from the least) of byte floor(i / 8), or byte i, or float i; of a `uniform` channel there is one float. So the cells of
 * a channel lie together, as in ONNX's images.
 */
export class PlanePacker<S> {
  /** Bytes in a row. */
  readonly bytes: number;
  /** Floats in a row. */
  readonly floats: number;
  readonly #planes: Planes<S>;
  readonly #encoding: readonly PlaneEncoding[];
  /** The planes of one position, and the same memory as words. */
  readonly #plain: Float32Array;
  readonly #words: Int32Array;

  constructor(planes: Planes<S>) {
    const [height, width, channels] = planes.shape;
    const cells = height * width;
    this.#planes = planes;
    this.#encoding = encodingOf(planes);
    const sum = (...kinds: readonly PlaneEncoding["as"][]) =>
      this.#encoding
        .filter(({ as }) => kinds.includes(as))
        .reduce((total, { as, channels: count }) => total + count * packedChannel(as, cells), 0);
    this.bytes = sum("bits", "bytes");
    this.floats = sum("uniform", "floats");
    const described = this.#encoding.reduce((total, group) => total + group.channels, 0);
    if (described !== channels)
      throw new RangeError(`the encoding of the planes describes ${described} of ${channels} channels`);
    this.#plain = new Float32Array(cells * channels);
    this.#words = new Int32Array(this.#plain.buffer);
  }

  /** Writes the packed planes of a position as row `row`. */
  write(state: S, { bytes, floats }: PackedRows, row: number): void {
    const plain = this.#plain;
    this.#planes.write(state, plain, 0);
    const channels = this.#planes.shape[2];
    let byte = row * this.bytes;
    let float = row * this.floats;
    let first = 0;
    for (const group of this.#encoding) {
      const end = first + group.channels;
      for (let channel = first; channel < end; channel++)
        switch (group.as) {
          case "bits":
            byte = this.#packBits(channel, bytes, byte);
            break;
          case "bytes":
            for (let at = channel; at < plain.length; at += channels)
              bytes[byte++] = Math.round(plain[at]! * (group.divisor ?? 1));
            break;
          case "uniform":
            floats[float++] = plain[channel]!;
            break;
          case "floats":
            for (let at = channel; at < plain.length; at += channels) floats[float++] = plain[at]!;
        }
      first = end;
    }
  }

  /** Packs a channel of zeros and ones from `byte` on; returns where the next channel begins. */
  #packBits(channel: number, out: Uint8Array, byte: number): number {
    const w = this.#words;
    const step = this.#planes.shape[2];
    let at = channel;
    // In float32, bit 29 is set in 1 and not in 0. Eight cells at once: three times as fast as a loop over the bits.
    for (const last = w.length - 7 * step; at < last; at += 8 * step)
      out[byte++] =
        ((w[at]! >>> 29) & 1) |
        ((w[at + step]! >>> 28) & 2) |
        ((w[at + 2 * step]! >>> 27) & 4) |
        ((w[at + 3 * step]! >>> 26) & 8) |
        ((w[at + 4 * step]! >>> 25) & 16) |
        ((w[at + 5 * step]! >>> 24) & 32) |
        ((w[at + 6 * step]! >>> 23) & 64) |
        ((w[at + 7 * step]! >>> 22) & 128);
    if (at >= w.length) return byte;
    let bits = 0;
    for (let bit = 0; at < w.length; at += step) bits |= ((w[at]! >>> 29) & 1) << bit++;
    out[byte] = bits;
    return byte + 1;
  }
}
