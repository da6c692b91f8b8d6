/** A 64-bit key of a position as a net is shown it. */
export interface PositionKey {
  readonly first: number;
  readonly second: number;
}

/**
 * Computes the 64-bit keys of positions from everything that a response depends on: the features and the gather indices.
 * With n different positions in a run, the probability that any two share a key is about n^2 / 2^65.
 *
 * A key is a sum of hashes of (place, word), as in Zobrist hashing. Words that are 0 are skipped: most words of planes
 * are 0.
 */
export class PositionHash implements PositionKey {
  first = 0;
  second = 0;

  /** Starts a new key. */
  begin(): void {
    this.first = this.second = 0x2545f491;
  }

  /** Adds the words [from, to) to the key; `salt` distinguishes the parts of a position. */
  add(words: Int32Array | Uint8Array, from: number, to: number, salt: number): void {
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
