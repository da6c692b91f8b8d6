import type { PositionKey } from "./position-hash.ts";

/**
 * A cache of a net's responses by position key and version of the weights, so that a position is not computed twice.
 *
 * The cache is direct-mapped, as KataGo's is: a position and a version have one place, which holds the latest response. A
 * response found is the response stored, bit for bit, so results do not depend on what the cache holds.
 */
export class EvaluationCache {
  readonly #mask: number;
  readonly #first: Int32Array;
  readonly #second: Int32Array;
  readonly #versions: Int32Array;
  readonly #lengths: Int32Array;
  readonly #responses: (Float32Array | undefined)[];

  /** A cache for this number of positions, rounded up to a power of two. */
  constructor(positions: number) {
    const places = 2 ** Math.ceil(Math.log2(positions));
    this.#mask = places - 1;
    this.#first = new Int32Array(places);
    this.#second = new Int32Array(places);
    this.#versions = new Int32Array(places);
    this.#lengths = new Int32Array(places);
    this.#responses = Array.from({ length: places }, () => undefined);
  }

  /** The response of a version, stored under this key with this length, or undefined. It is valid until the next `store`. */
  find(key: PositionKey, version: number, length: number): Float32Array | undefined {
    const place = this.#place(key, version);
    return this.#lengths[place] === length &&
      this.#versions[place] === version &&
      this.#first[place] === key.first &&
      this.#second[place] === key.second
      ? this.#responses[place]
      : undefined;
  }

  /** Stores a copy of the first `length` numbers of a response, replacing what its place held; `length` is 1 or more. */
  store(key: PositionKey, version: number, response: Float32Array, length: number): void {
    const place = this.#place(key, version);
    let kept = this.#responses[place];
    // Rounded up, so that most later responses fit in without a new array.
    if (kept === undefined || kept.length < length)
      kept = this.#responses[place] = new Float32Array(32 * Math.ceil(length / 32));
    for (let i = 0; i < length; i++) kept[i] = response[i]!;
    this.#first[place] = key.first;
    this.#second[place] = key.second;
    this.#versions[place] = version;
    this.#lengths[place] = length;
  }

  /** Two versions that play each other do not push each other's responses out. */
  #place({ second }: PositionKey, version: number): number {
    return (second + Math.imul(version, 0x9e3779b1)) & this.#mask;
  }
}
