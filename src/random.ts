/**
 * A seeded stream of random numbers. Every stream has a name, and no stream depends on scheduling.
 *
 * A stream is a function of its name alone (seed, stage, generation, game, purpose). So no result depends on the order
 * in which threads draw. Generator: xoshiro128** 1.1 (Blackman and Vigna, 2018), seeded by a
 * 128-bit MurmurHash3-style hash of the name.
 */
export class Random {
  readonly #s: Int32Array;

  private constructor(state: Int32Array) {
    this.#s = state;
  }

  /** The stream with this name. The same parts in the same order give the same draws, on every machine. */
  static named(...name: readonly (string | number)[]): Random {
    return new Random(hash128(JSON.stringify(name)));
  }

  /** A stream that continues from `state()`. */
  static resume(state: readonly number[]): Random {
    if (state.length !== 4 || state.every((word) => word === 0))
      throw new RangeError("a random state is four words, not all zero");
    return new Random(Int32Array.from(state));
  }

  /** The four words that `resume` takes. */
  state(): number[] {
    return [...this.#s];
  }

  /** Continues as the stream with this `state()` would. */
  goOnFrom(state: ArrayLike<number>): void {
    this.#s.set(state);
  }

  /** An integer in [0, 2^32). */
  uint32(): number {
    const s = this.#s;
    const s1 = s[1]!;
    const m = Math.imul(s1, 5);
    const result = Math.imul((m << 7) | (m >>> 25), 9) >>> 0;
    const s2 = s[2]! ^ s[0]!;
    const s3 = s[3]! ^ s1;
    s[1] = s1 ^ s2;
    s[0] = s[0]! ^ s3;
    s[2] = s2 ^ (s1 << 9);
    s[3] = (s3 << 11) | (s3 >>> 21);
    return result;
  }

  /** A number in [0, 1) with 53 random bits. */
  float(): number {
    const high = this.uint32() >>> 5;
    const low = this.uint32() >>> 6;
    return (high * 0x4000000 + low) / 0x20000000000000;
  }

  /** An integer in [0, n), exactly uniform; 1 <= n <= 2^32 (Lemire 2019, with rejection; above 2^21 plain rejection). */
  below(n: number): number {
    // Up to 2^21 the product of the two is exact in a double.
    if (n > 0x200000) return this.#belowLarge(n);
    let product = this.uint32() * n;
    if (product >>> 0 < n) {
      const threshold = 0x100000000 % n;
      while (product >>> 0 < threshold) product = this.uint32() * n;
    }
    return Math.floor(product / 0x100000000);
  }

  #belowLarge(n: number): number {
    const limit = 0x100000000 - (0x100000000 % n);
    let draw = this.uint32();
    while (draw >= limit) draw = this.uint32();
    return draw % n;
  }

  /** A draw from the standard normal distribution (Box and Muller 1958; the second value is not kept). */
  normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.float()));
    return radius * Math.cos(2 * Math.PI * this.float());
  }
}

function hash128(text: string): Int32Array {
  let a = 0x6c078965;
  let b = 0x2545f491;
  let c = 0x9e3779b9;
  let d = 0x7f4a7c15;
  for (let i = 0; i < text.length; i++) {
    const k = text.charCodeAt(i);
    a = b ^ Math.imul(a ^ k, 597399067);
    b = c ^ Math.imul(b ^ k, 2869860233);
    c = d ^ Math.imul(c ^ k, 951274213);
    d = a ^ Math.imul(d ^ k, 2716044179);
  }
  const state = new Int32Array([finish(a ^ text.length), finish(b), finish(c), finish(d)]);
  // One round of crossing, so that every word depends on all four lanes.
  const all = state[0]! ^ state[1]! ^ state[2]! ^ state[3]!;
  for (let i = 0; i < 4; i++) state[i] = finish(state[i]! + Math.imul(all, 2 * i + 1));
  if (state.every((word) => word === 0)) state[0] = 1;
  return state;
}

/** The 32-bit finaliser of MurmurHash3. */
function finish(h: number): number {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
