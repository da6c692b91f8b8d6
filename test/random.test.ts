import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../src/random.ts";
import { casesOf } from "./number-of-cases.ts";

/** Chi-square of counts against equal shares. */
function chiSquare(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

/** What chi-square stays under with probability .9999 (Wilson and Hilferty 1931), `degrees` of freedom. */
function chiSquareLimit(degrees: number): number {
  const z = 3.719;
  return degrees * (1 - 2 / (9 * degrees) + z * Math.sqrt(2 / (9 * degrees))) ** 3;
}

/** The generator of Blackman and Vigna (2018), section 4, in plain big integers. */
function xoshiro(words: readonly number[]): () => number {
  const mask = 0xffffffffn;
  let [a, b, c, d] = words.map(BigInt) as [bigint, bigint, bigint, bigint];
  const rotate = (x: bigint, bits: bigint) => ((x << bits) | (x >> (32n - bits))) & mask;
  return () => {
    const result = (rotate((b * 5n) & mask, 7n) * 9n) & mask;
    const shifted = (b << 9n) & mask;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11n);
    return Number(result);
  };
}

/** A stream whose next word is `word`: the output of xoshiro128** is rotl(5 s1, 7) * 9, which can be undone. */
function beforeWord(word: number): Random {
  const ninth = 0x38e38e39;
  const fifth = 0xcccccccd;
  const rotated = Math.imul(word, ninth);
  return Random.resume([1, Math.imul((rotated >>> 7) | (rotated << 25), fifth), 2, 3]);
}

/** What `below` makes of one word: the number drawn, or undefined if it rejects the word and draws again. */
function drawnFrom(word: number, n: number): number | undefined {
  const random = beforeWord(word);
  const once = beforeWord(word);
  if (once.uint32() !== word) throw new Error(`the stream does not begin with ${word}`);
  const draw = random.below(n);
  return random.state().join() === once.state().join() ? draw : undefined;
}

describe("Random", () => {
  it("is xoshiro128** 1.1, as its paper defines it", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 2 ** 31 - 1 }), { minLength: 4, maxLength: 4 }),
        (words) => {
          const random = Random.resume(words);
          const reference = xoshiro(words);
          for (let i = 0; i < 50; i++) if (random.uint32() !== reference()) return false;
          return true;
        },
      ),
      { numRuns: casesOf(100) },
    );
    const random = Random.resume([1, 2, 3, 4]);
    expect(Array.from({ length: 6 }, () => random.uint32())).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492,
    ]);
  });

  it("gives a name the same stream for ever: runs recorded today must replay tomorrow", () => {
    const random = Random.named(2048, "games", 0, "chance");
    expect(random.state()).toEqual([1219547020, 1676897096, 793933972, 749850271]);
    expect(Array.from({ length: 6 }, () => random.uint32())).toEqual([
      3840792641, 2447181914, 4064292351, 1406855891, 2379140447, 93924812,
    ]);
    const other = Random.named(1);
    expect([other.float(), other.float(), other.normal()]).toEqual([
      0.6629673749045771, 0.9387565378434479, 0.013954455900396658,
    ]);
    expect([other.below(6), other.below(2 ** 31 + 1), other.below(3_000_000_000)]).toEqual([
      0, 914113905, 1179438671,
    ]);
  });

  it("keeps streams of different names apart, however alike the names are", () => {
    const names: (string | number)[][] = [
      [1],
      [2],
      ["1"],
      [1, 0],
      [0, 1],
      ["a", "b"],
      ["ab"],
      ["a,b"],
      ["a", "", "b"],
      ["b", "a"],
      ...Array.from({ length: 200 }, (_, game) => [7, "games", game]),
      ...Array.from({ length: 200 }, (_, game) => [7, "games", game, "chance"]),
    ];
    const states = new Set(
      names.map((name) =>
        Random.named(...name)
          .state()
          .join(),
      ),
    );
    expect(states.size).toBe(names.length);
    // Neighbouring names are as unlike as any two: half of all bits differ.
    let differing = 0;
    for (let game = 0; game < 200; game++) {
      const one = Random.named(7, "games", game).uint32();
      const next = Random.named(7, "games", game + 1).uint32();
      for (let bits = one ^ next; bits !== 0; bits &= bits - 1) differing++;
    }
    expect(differing / 200).toBeGreaterThan(15);
    expect(differing / 200).toBeLessThan(17);
  });

  it.each([1, 2, 3, 5, 6, 7, 10, 16, 100])("draws below %i with equal shares", (n) => {
    const random = Random.named("below", n);
    const counts = Array.from({ length: n }, () => 0);
    for (let i = 0; i < 1000 * n; i++) counts[random.below(n)]!++;
    if (n === 1) expect(counts).toEqual([1000]);
    else expect(chiSquare(counts)).toBeLessThan(chiSquareLimit(n - 1));
  });

  it.each([2 ** 21 - 1, 2 ** 21, 2 ** 21 + 1, 3 * 2 ** 30, 2 ** 31 + 1, 2 ** 32])(
    "draws below %i with equal shares of its eighths",
    (n) => {
      const random = Random.named("large", n);
      const counts = Array.from({ length: 8 }, () => 0);
      for (let i = 0; i < casesOf(16_000); i++) {
        const draw = random.below(n);
        expect(Number.isInteger(draw) && draw >= 0 && draw < n).toBe(true);
        counts[Math.floor((draw * 8) / n)]!++;
      }
      expect(chiSquare(counts)).toBeLessThan(chiSquareLimit(7));
    },
  );

  // 2^32 words cannot be shared equally among n numbers, so some are rejected: each number must keep floor(2^32 / n).
  it.each([3 * 2 ** 19, 2 ** 21 - 1, 1_000_003])(
    "draws below %i exactly uniformly: every number comes from floor(2^32 / n) of all words",
    (n) => {
      for (const number of [0, 1, 2, 12_345, n - 2, n - 1]) {
        const from = Math.ceil((number * 2 ** 32) / n);
        const to = Math.ceil(((number + 1) * 2 ** 32) / n);
        const drawn = new Map<number | undefined, number>();
        for (let word = from; word < to; word++) {
          const draw = drawnFrom(word, n);
          drawn.set(draw, (drawn.get(draw) ?? 0) + 1);
        }
        drawn.delete(undefined);
        expect([...drawn.keys()]).toEqual([number]);
        expect(drawn.get(number)).toBe(Math.floor(2 ** 32 / n));
      }
    },
  );

  it.each([2 ** 21 + 1, 3 * 2 ** 30, 2 ** 31 + 1])(
    "draws below %i exactly uniformly: the words above the last multiple of n are rejected",
    (n) => {
      const multiple = n * Math.floor(2 ** 32 / n);
      expect(drawnFrom(multiple - 1, n)).toBe(n - 1);
      expect(drawnFrom(multiple, n)).toBeUndefined();
      expect(drawnFrom(2 ** 32 - 1, n)).toBeUndefined();
    },
  );

  it("reaches 0 and n - 1, and no further", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 32 }), fc.integer(), (n, name) => {
        const draw = Random.named("range", name).below(n);
        return Number.isInteger(draw) && draw >= 0 && draw < n;
      }),
      { numRuns: casesOf(500) },
    );
    const random = Random.named("ends");
    const seen = new Set(Array.from({ length: 300 }, () => random.below(9)));
    expect([...seen].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("draws floats in [0, 1) with equal shares, and normal draws of mean 0 and variance 1", () => {
    const random = Random.named("float");
    const counts = Array.from({ length: 16 }, () => 0);
    for (let i = 0; i < casesOf(32_000); i++) {
      const draw = random.float();
      expect(draw >= 0 && draw < 1).toBe(true);
      counts[Math.floor(16 * draw)]!++;
    }
    expect(chiSquare(counts)).toBeLessThan(chiSquareLimit(15));
    let sum = 0;
    let squares = 0;
    for (let i = 0; i < 20_000; i++) {
      const draw = random.normal();
      sum += draw;
      squares += draw * draw;
    }
    expect(Math.abs(sum / 20_000)).toBeLessThan(4 / Math.sqrt(20_000));
    expect(Math.abs(squares / 20_000 - 1)).toBeLessThan(4 * Math.sqrt(2 / 20_000));
  });

  it("continues from a saved state as if it had not stopped", () => {
    const random = Random.named(3, "resume");
    for (let i = 0; i < 17; i++) random.uint32();
    const resumed = Random.resume(random.state());
    const draw = (from: Random) => [
      from.uint32(),
      from.float(),
      from.below(10),
      from.normal(),
      from.below(2 ** 31),
    ];
    expect(draw(resumed)).toEqual(draw(random));
    const other = Random.named(4, "resume");
    other.goOnFrom(random.state());
    expect(draw(other)).toEqual(draw(random));
    const saved = random.state();
    random.uint32();
    expect(saved).not.toEqual(random.state());
  });

  it("refuses a state from which nothing could be drawn", () => {
    expect(() => Random.resume([0, 0, 0, 0])).toThrow(/not all zero/);
    expect(() => Random.resume([1, 2, 3])).toThrow(/four words/);
  });
});
