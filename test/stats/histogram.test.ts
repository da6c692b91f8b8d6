import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binWidth, histogram, roundUp } from "../../src/stats/histogram.ts";

describe("histogram", () => {
  it("counts every value once, in the bin around it", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 200 }),
        (values) => {
          const { start, width, counts } = histogram(values);
          expect(counts.length).toBeLessThanOrEqual(60);
          expect(counts.reduce((sum, n) => sum + n, 0)).toBe(values.length);
          expect(start).toBeLessThanOrEqual(Math.min(...values));
          expect(start + width * counts.length).toBeGreaterThan(Math.max(...values));
          // The outer bins are not empty.
          expect(counts[0]).toBeGreaterThan(0);
          expect(counts.at(-1)).toBeGreaterThan(0);
        },
      ),
    );
  });

  it("chooses a round width near Freedman and Diaconis's", () => {
    // 2 * IQR / n^(1/3) = 2 * 499.5 / 10 = 99.9
    const { start, width, counts } = histogram(Array.from({ length: 1000 }, (_, i) => i));
    expect({ start, width }).toEqual({ start: 0, width: 100 });
    expect(counts).toEqual(Array(10).fill(100));
  });

  it("has at most 60 bins where few values lie far from all others", () => {
    // The rule of Freedman and Diaconis gives bins of about 20: 50,000 of them.
    for (const [far, start] of [
      [1_000_000, 0],
      [-1_000_000, -1_000_000],
    ] as const) {
      const { counts, ...bins } = histogram([...Array.from({ length: 100 }, (_, i) => i), far]);
      expect(bins).toEqual({ start, width: 20_000 });
      expect(counts.length).toBe(51);
      expect([counts[0], counts.at(-1)].toSorted((a, b) => a! - b!)).toEqual([1, 100]);
    }
  });

  it("takes the next round width where 60 bins would begin too late to hold all values", () => {
    // 60 bins of width 1 would be enough for the span of 60, but bins begin at multiples of their width.
    const values = [0.5, ...Array.from({ length: 100 }, () => 30), 60.5];
    expect(binWidth(values)).toBe(2);
    expect(histogram(values).counts.length).toBe(31);
    expect(binWidth(values.map((value) => value - 0.5))).toBe(2);
    expect(binWidth(values.map((value) => (value - 0.5) * 0.99))).toBe(1);
  });

  it("takes empty and equal values", () => {
    expect(histogram([])).toEqual({ start: 0, width: 1, counts: [] });
    expect([binWidth([]), binWidth([0]), binWidth([7, 7, 7])]).toEqual([1, 1, 1]);
    expect(histogram([2048, 2048])).toEqual({ start: 2048, width: 1, counts: [2] });
    for (const value of [NaN, Infinity, -Infinity])
      for (const others of [[1], [1, 2], [1, 2, 3, 4]])
        expect(() => histogram([...others, value])).toThrow(RangeError);
  });
});

describe("roundUp", () => {
  it.each([
    [0.03, 0.05],
    [1, 1],
    [1.1, 2],
    [20, 20],
    [51, 100],
  ])("takes %d to %d", (x, rounded) => expect(roundUp(x)).toBeCloseTo(rounded, 12));
});
