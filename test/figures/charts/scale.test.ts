import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linearScale, logScale } from "../../../src/figures/charts/scale.ts";

const range = [0, 100] as const;

describe("linearScale", () => {
  it("puts ticks at round numbers and widens the domain to them when asked", () => {
    const scale = linearScale([130, 4870], { range, ticks: 6, nice: true });
    expect(scale.ticks).toEqual([0, 1000, 2000, 3000, 4000, 5000]);
    expect(scale.domain).toEqual([0, 5000]);
    expect(scale(2500)).toBe(50);
    expect(scale.ticks.map(scale.tickText)).toEqual(["0", "1,000", "2,000", "3,000", "4,000", "5,000"]);
  });

  it("keeps the domain, with ticks inside it, when not", () => {
    const scale = linearScale([130, 4870], { range, ticks: 6 });
    expect(scale.ticks).toEqual([1000, 2000, 3000, 4000]);
    expect([scale(130), scale(4870)]).toEqual([0, 100]);
  });

  it.each([
    [
      [0, 1],
      ["0", "0.2", "0.4", "0.6", "0.8", "1.0"],
    ],
    [
      [0, 5e6],
      ["0", "1M", "2M", "3M", "4M", "5M"],
    ],
    [
      [0, 1.2e6],
      ["0", "0.2M", "0.4M", "0.6M", "0.8M", "1.0M", "1.2M"],
    ],
    [
      [-1, 1],
      ["−1.0", "−0.5", "0", "0.5", "1.0"],
    ],
    [
      [0, 2e-5],
      ["0", "5e−6", "1e−5", "1.5e−5", "2e−5"],
    ],
  ] as const)("writes %j as %j", (domain, texts) => {
    const scale = linearScale(domain, { range, ticks: 6, nice: true });
    expect(scale.ticks.map(scale.tickText)).toEqual(texts);
  });

  it("covers any domain in range, with few ticks and no rounding errors in them", () => {
    const number = fc.double({ min: -1e9, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(number, number, (a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        // Beyond the smallest numbers of full precision ticks have no digits left.
        fc.pre(Math.max(Math.abs(low), Math.abs(high)) > 1e-290 || (low === 0 && high === 0));
        const scale = linearScale([low, high], { range, ticks: 6, nice: true });
        expect(scale.ticks.length).toBeGreaterThan(1);
        expect(scale.ticks.length).toBeLessThan(10);
        expect(scale(low)).toBeGreaterThanOrEqual(-1e-6);
        expect(scale(high)).toBeLessThanOrEqual(100 + 1e-6);
        for (const tick of scale.ticks)
          expect(String(Math.abs(tick)).replace(/\D/g, "").length).toBeLessThan(16);
      }),
    );
  });
});

describe("logScale", () => {
  it("puts ticks at powers of ten, equally far apart", () => {
    const scale = logScale([3, 40_000], { range, ticks: 6, nice: true });
    expect(scale.ticks).toEqual([1, 10, 100, 1000, 10_000, 100_000]);
    expect(scale(10)).toBeCloseTo(20, 10);
    expect(scale.ticks.map(scale.tickText)).toEqual(["1", "10", "100", "1,000", "10,000", "100,000"]);
  });

  it("puts ticks at 1, 2 and 5 if less than two powers are in sight", () => {
    const scale = logScale([0.3, 1.7], { range, ticks: 6, nice: true });
    expect(scale.ticks).toEqual([0.2, 0.5, 1, 2]);
    expect(scale.ticks.map(scale.tickText)).toEqual(["0.2", "0.5", "1", "2"]);
  });

  it("takes one value, and values far apart", () => {
    const one = logScale([1, 1], { range, ticks: 6, nice: true });
    expect(Number.isFinite(one(1))).toBe(true);
    expect(logScale([1e-3, 8e7], { range, ticks: 6, nice: true }).ticks.length).toBeLessThan(9);
    expect(() => logScale([0, 1], { range, ticks: 6 })).toThrow(RangeError);
  });
});
