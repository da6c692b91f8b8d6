import type { Random } from "../random.ts";

/** The number of bits of a word that are set. */
export function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** One of the bits that are set in two words, each with the same probability: 0 to 31 in the lower word, 32 to 63 in the upper. */
export function drawBit(low: number, high: number, random: Random): number {
  const lower = bitCount(low);
  let number = random.below(lower + bitCount(high));
  let word = low;
  let first = 0;
  if (number >= lower) {
    number -= lower;
    word = high;
    first = 32;
  }
  for (; number > 0; number--) word &= word - 1;
  return first + 31 - Math.clz32(word & -word);
}

/** Writes a 64-bit hash of the stones of two seats, two words each, and of a number, as two words. */
export function hashStones(
  low0: number,
  high0: number,
  low1: number,
  high1: number,
  number: number,
  out: Int32Array,
): void {
  let a = scramble(0x452821e6 + number);
  let b = scramble(a ^ 0x38d01377);
  for (let i = 0; i < 4; i++) {
    const word = i === 0 ? low0 : i === 1 ? high0 : i === 2 ? low1 : high1;
    a = scramble(a ^ word);
    b = scramble((b + word) ^ (a << 1));
  }
  out[0] = a;
  out[1] = b;
}

/** The 32-bit finaliser of MurmurHash3, after a step that moves 0 away from itself. */
function scramble(word: number): number {
  let h = (word + 0x9e3779b9) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
