import { describe, expect, it } from "vitest";
import { Random } from "../../src/random.ts";
import {
  blockedMean,
  meanEstimate,
  pairedGain,
  proportionEstimate,
  ratioEstimate,
} from "../../src/stats/intervals.ts";

describe("meanEstimate", () => {
  it("agrees with scipy's one-sample t interval", () => {
    // scipy.stats.ttest_1samp([3,1,4,1,5,9,2,6], 0).confidence_interval(.95), scipy 1.17.1
    const { value, interval } = meanEstimate([3, 1, 4, 1, 5, 9, 2, 6]);
    expect(value).toBe(3.875);
    expect(interval[0]).toBeCloseTo(1.5773000431592457, 12);
    expect(interval[1]).toBeCloseTo(6.172699956840754, 12);
  });

  it("says that one value has no known spread", () => {
    expect(meanEstimate([7])).toEqual({ value: 7, interval: [-Infinity, Infinity] });
    expect(() => meanEstimate([])).toThrow(RangeError);
  });

  it("covers the true mean in about 95 of 100 small samples", () => {
    const random = Random.named("coverage of the t interval");
    let covered = 0;
    const trials = 4000;
    for (let i = 0; i < trials; i++) {
      const { interval } = meanEstimate(Array.from({ length: 6 }, () => 10 + 3 * random.normal()));
      if (interval[0] <= 10 && 10 <= interval[1]) covered++;
    }
    // Four standard errors of a binomial share.
    expect(Math.abs(covered / trials - 0.95)).toBeLessThan(4 * Math.sqrt((0.95 * 0.05) / trials));
  });
});

describe("pairedGain", () => {
  it("is the mean of the differences, with their interval", () => {
    expect(pairedGain([11, 22, 33], [1, 2, 3])).toEqual(meanEstimate([10, 20, 30]));
    expect(() => pairedGain([1], [1, 2])).toThrow(RangeError);
  });
});

describe("ratioEstimate", () => {
  it("is exact where every pair has the same ratio, and the mean's where b is 1", () => {
    expect(ratioEstimate([2, 4, 6], [1, 2, 3])).toEqual({ value: 2, interval: [2, 2] });
    expect(ratioEstimate([3, 1, 4, 1, 5], [1, 1, 1, 1, 1])).toEqual(meanEstimate([3, 1, 4, 1, 5]));
  });

  it("covers the true ratio in about 95 of 100 samples", () => {
    const random = Random.named("coverage of the ratio's interval");
    let covered = 0;
    const trials = 2000;
    for (let i = 0; i < trials; i++) {
      const seconds = Array.from({ length: 30 }, () => 5 + random.float());
      const points = seconds.map((each) => 7 * each + 2 * random.normal());
      const { interval } = ratioEstimate(points, seconds);
      if (interval[0] <= 7 && 7 <= interval[1]) covered++;
    }
    expect(Math.abs(covered / trials - 0.95)).toBeLessThan(4 * Math.sqrt((0.95 * 0.05) / trials));
  });
});

describe("blockedMean", () => {
  it("is the mean's for blocks of one, and that of the blocks' means for blocks of one size", () => {
    expect(blockedMean([3, 1, 4, 1, 5], [7, 2, 9, 4, 1])).toEqual(meanEstimate([3, 1, 4, 1, 5]));
    const { interval, value } = blockedMean([1, 2, 30, 5, 6, 10], [0, 1, 2, 0, 1, 2]);
    const blocks = meanEstimate([3, 4, 20]);
    expect(value).toBe(9);
    expect(interval[0]).toBeCloseTo(blocks.interval[0], 12);
    expect(interval[1]).toBeCloseTo(blocks.interval[1], 12);
  });

  it("knows no spread of a single block", () => {
    expect(blockedMean([1, 2, 3], [5, 5, 5])).toEqual({ value: 2, interval: [-Infinity, Infinity] });
  });

  it("covers the mean of numbers that depend on each other within blocks of different sizes", () => {
    const random = Random.named("coverage over blocks");
    let covered = 0;
    const trials = 2000;
    for (let trial = 0; trial < trials; trial++) {
      const values: number[] = [];
      const blocks: number[] = [];
      for (let block = 0; block < 30; block++) {
        const level = 100 + 20 * random.normal();
        for (let i = 1 + random.below(4); i > 0; i--) {
          values.push(level + 5 * random.normal());
          blocks.push(block);
        }
      }
      const { interval } = blockedMean(values, blocks);
      if (interval[0] <= 100 && 100 <= interval[1]) covered++;
    }
    // Linearised for blocks of different sizes.
    expect(covered / trials).toBeGreaterThan(0.93);
    expect(covered / trials).toBeLessThan(0.97);
  });
});

describe("proportionEstimate", () => {
  // scipy.stats.binomtest(k, n).proportion_ci(.95, 'wilson'), scipy 1.17.1
  it.each([
    [0, 10, 0, 0.27753279986288926],
    [1, 10, 0.017876213095072896, 0.4041500267952385],
    [8, 10, 0.4901624715366418, 0.9433178485456248],
    [150, 300, 0.4437795161339169, 0.5562204838660831],
  ])("agrees with scipy for %i of %i", (k, n, low, high) => {
    const { value, interval } = proportionEstimate(k, n);
    expect(value).toBe(k / n);
    expect(interval[0]).toBeCloseTo(low, 12);
    expect(interval[1]).toBeCloseTo(high, 12);
  });

  it("is symmetric, stays in [0, 1] and refuses nonsense", () => {
    const none = proportionEstimate(0, 7).interval;
    const all = proportionEstimate(7, 7).interval;
    expect(all[1]).toBe(1);
    expect(all[0]).toBeCloseTo(1 - none[1], 12);
    for (const [k, n] of [
      [1, 0],
      [-1, 3],
      [4, 3],
    ] as const)
      expect(() => proportionEstimate(k, n)).toThrow(RangeError);
  });
});
