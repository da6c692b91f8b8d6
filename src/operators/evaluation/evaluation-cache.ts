/**
 * Answers of a net by position, so that the same question is not computed twice.
 *
 * Every key has one place, where the latest answer stands: the table is what a computer's cache calls direct-mapped, as
 * KataGo's is. An answer belongs to one version of the weights; with the next version all are forgotten. What is found
 * is what was stored, to the bit, so that results do not depend on what was found.
 */
export class EvaluationCache {
  readonly #mask: number;
  readonly #first: Int32Array;
  readonly #second: Int32Array;
  readonly #lengths: Int32Array;
  readonly #responses: (Float32Array | undefined)[];
  #version = -1;

  /** Keeps the answers of at most so many positions, rounded up to a power of two. */
  constructor(positions: number) {
    const places = 2 ** Math.ceil(Math.log2(positions));
    this.#mask = places - 1;
    this.#first = new Int32Array(places);
    this.#second = new Int32Array(places);
    this.#lengths = new Int32Array(places);
    this.#responses = Array.from({ length: places }, () => undefined);
  }

  /** The version of the weights whose answers it holds; -1 before the first. */
  get version(): number {
    return this.#version;
  }

  /** Forgets everything, unless it holds the answers of this version. */
  begin(version: number): void {
    if (version === this.#version) return;
    this.#version = version;
    this.#lengths.fill(0);
  }

  /** The answer to a question with this key and of this length; it lies there until the next `store`. */
  find(key: PositionKey, length: number): Float32Array | undefined {
    const place = key.second & this.#mask;
    return this.#lengths[place] === length &&
      this.#first[place] === key.first &&
      this.#second[place] === key.second
      ? this.#responses[place]
      : undefined;
  }

  /** Keeps a copy of the first `length` numbers of an answer, in place of what was there; `length` is 1 or more. */
  store(key: PositionKey, response: Float32Array, length: number): void {
    const place = key.second & this.#mask;
    let kept = this.#responses[place];
    // Rounded up, so that most later answers in this place find room.
    if (kept === undefined || kept.length < length)
      kept = this.#responses[place] = new Float32Array(32 * Math.ceil(length / 32));
    for (let i = 0; i < length; i++) kept[i] = response[i]!;
    this.#first[place] = key.first;
    this.#second[place] = key.second;
    this.#lengths[place] = length;
  }
}

/** 64 bits of what a net is asked. */
export interface PositionKey {
  readonly first: number;
  readonly second: number;
}

/**
 * Makes the keys of questions: 64 bits from everything that the answer depends on, the features that the net sees and the
 * logits that are asked for. Two questions of a run share a key with a probability of about questions^2 / 2^65.
 *
 * Sums hashes of (place, word), as Zobrist hashing does, over the words that are not 0: most of the planes are.
 */
export class PositionHash implements PositionKey {
  first = 0;
  second = 0;

  /** Begins a new key. */
  begin(): void {
    this.first = this.second = 0x2545f491;
  }

  /** Takes in words [from, to); `salt` tells the parts of a question apart. */
  add(words: Int32Array, from: number, to: number, salt: number): void {
    let { first, second } = this;
    const length = mixed(salt, to - from);
    first = (first + length) | 0;
    second = (second + mixed(length, salt)) | 0;
    for (let at = from; at < to; at++) {
      const word = words[at]!;
      if (word === 0) continue;
      const place = at - from + salt;
      const hash = mixed(word, place);
      const other = Math.imul(hash ^ place, 0x2c1b3c6d);
      first = (first + hash) | 0;
      second = (second + (other ^ (other >>> 15))) | 0;
    }
    this.first = first;
    this.second = second;
  }
}

/** 32 bits of two words, after the finaliser of MurmurHash3: different for different `a` and the same `b`. */
function mixed(a: number, b: number): number {
  let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b + 0x7f4a7c15, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 16), 0xc2b2ae35);
  return h ^ (h >>> 13);
}
