/**
 * The number of bits of a value in the exponential Golomb code of order k. Small integers take few bits; no integer is too
 * large for the code.
 *
 * With q = floor(value / 2^k) + 1 of n binary digits: n - 1 zeros, q, then the k low digits of the value.
 */
export function golombLength(value: number, order: number): number {
  return 2 * (32 - Math.clz32((value >>> order) + 1)) - 1 + order;
}

/** The order, 0 to 15, in which these integers take the fewest bits together; among equals the lowest. */
export function bestGolombOrder(values: ArrayLike<number>): number {
  let best = 0;
  let fewest = Infinity;
  for (let order = 0; order < 16; order++) {
    let bits = 0;
    for (let i = 0; i < values.length; i++) bits += golombLength(values[i]!, order);
    if (bits >= fewest) continue;
    fewest = bits;
    best = order;
  }
  return best;
}

/** Appends bits to a buffer that grows; the first bit is the highest of the first byte. */
export class BitWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  /** The low `count` binary digits of a value, high ones first; count is 0 to 31. */
  bits(value: number, count: number): void {
    if (this.#length + count > 8 * this.#bytes.length) {
      const wider = new Uint8Array(2 * this.#bytes.length);
      wider.set(this.#bytes);
      this.#bytes = wider;
    }
    for (let bit = count - 1; bit >= 0; bit--, this.#length++)
      this.#bytes[this.#length >> 3]! |= ((value >>> bit) & 1) << (7 - (this.#length & 7));
  }

  /** An integer in [0, 2^30) in the exponential Golomb code of an order in 0..15 (see `golombLength`). */
  golomb(value: number, order: number): void {
    if (!(Number.isInteger(value) && value >= 0 && value < 1 << 30))
      throw new RangeError(`${value} is no integer in [0, 2^30)`);
    const whole = (value >>> order) + 1;
    const digits = 32 - Math.clz32(whole);
    this.bits(0, digits - 1);
    this.bits(whole, digits);
    this.bits(value, order);
  }

  /** A copy of all that was written, the last byte filled up with zeros. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, (this.#length + 7) >> 3);
  }
}

/** Reads the bits of a `BitWriter`. Past the end all bits are 1, so that every code ends. The caller knows the number of codes. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at: number;

  /** Reads from byte `offset` on. */
  constructor(bytes: Uint8Array, offset = 0) {
    this.#bytes = bytes;
    this.#at = 8 * offset;
  }

  /** The place of the next bit; the first one of the bytes has place 0. */
  get place(): number {
    return this.#at;
  }

  /** A number of `count` binary digits, 0 to 31. */
  bits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++, this.#at++)
      value = (value << 1) | (((this.#bytes[this.#at >> 3] ?? 255) >> (7 - (this.#at & 7))) & 1);
    return value;
  }

  /** What `golomb` wrote with this order. */
  golomb(order: number): number {
    let zeros = 0;
    while (this.bits(1) === 0) zeros++;
    const whole = (1 << zeros) | this.bits(zeros);
    return ((whole - 1) << order) | this.bits(order);
  }
}
