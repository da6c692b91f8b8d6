import type { PositionKey } from "./position-hash.ts";

/**
 * A cache of a net's responses by position key, so that a position is not computed twice.
 *
 * The cache is direct-mapped, as KataGo's is: each key has one place, which holds the latest response. All responses are
 * of one version of the weights; a new version empties the cache. A response found is the response stored, bit for bit,
 * so results do not depend on what the cache holds.
 */
export class EvaluationCache {
  readonly #mask: number;
  readonly #first: Int32Array;
  readonly #second: Int32Array;
  readonly #lengths: Int32Array;
  readonly #responses: (Float32Array | undefined)[];
  #version = -1;

  /** A cache for this number of positions, rounded up to a power of two. */
  constructor(positions: number) {
    const places = 2 ** Math.ceil(Math.log2(positions));
    this.#mask = places - 1;
    this.#first = new Int32Array(places);
    this.#second = new Int32Array(places);
    this.#lengths = new Int32Array(places);
    this.#responses = Array.from({ length: places }, () => undefined);
  }

  /** The version of the weights that the responses were computed with; -1 before the first. */
  get version(): number {
    return this.#version;
  }

  /** Empties the cache if its responses are of another version of the weights. */
  begin(version: number): void {
    if (version === this.#version) return;
    this.#version = version;
    this.#lengths.fill(0);
  }

  /** The response stored under this key with this length, or undefined. It is valid until the next `store`. */
  find(key: PositionKey, length: number): Float32Array | undefined {
    const place = key.second & this.#mask;
    return this.#lengths[place] === length &&
      this.#first[place] === key.first &&
      this.#second[place] === key.second
      ? this.#responses[place]
      : undefined;
  }

  /** Stores a copy of the first `length` numbers of a response, replacing what its place held; `length` is 1 or more. */
  store(key: PositionKey, response: Float32Array, length: number): void {
    const place = key.second & this.#mask;
    let kept = this.#responses[place];
    // Rounded up, so that most later responses fit in without a new array.
    if (kept === undefined || kept.length < length)
      kept = this.#responses[place] = new Float32Array(32 * Math.ceil(length / 32));
    for (let i = 0; i < length; i++) kept[i] = response[i]!;
    this.#first[place] = key.first;
    this.#second[place] = key.second;
    this.#lengths[place] = length;
  }
}
