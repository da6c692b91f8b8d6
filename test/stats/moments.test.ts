import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Moments } from "../../src/stats/moments.ts";

describe("Moments", () => {
  it("agrees with the two-pass formulas", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 50 }),
        (values) => {
          const moments = Moments.of(values);
          const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
          const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (values.length - 1);
          expect(moments.count).toBe(values.length);
          expect(Math.abs(moments.mean - mean)).toBeLessThan(1e-8);
          expect(Math.abs(moments.variance - variance)).toBeLessThan(1e-9 * (1 + variance));
          expect(moments.min).toBe(Math.min(...values));
          expect(moments.max).toBe(Math.max(...values));
        },
      ),
    );
  });

  it("keeps a small variance beside a large mean, where a sum of squares loses it", () => {
    // The example of Chan, Golub and LeVeque (1983): variance 30 whatever the shift.
    const moments = Moments.of([4, 7, 13, 16].map((x) => x + 1e9));
    expect(moments.variance).toBe(30);
    expect(moments.deviation).toBe(Math.sqrt(30));
  });

  it("are exact for one number, and for one number many times", () => {
    for (const value of [0.1, 1e-20, -7.3, 1e300]) {
      expect(Moments.of([value]).mean).toBe(value);
      const many = Moments.of(Array.from({ length: 9 }, () => value));
      expect([many.mean, many.variance]).toEqual([value, 0]);
    }
  });

  it("says NaN where there is nothing to say", () => {
    expect(new Moments().mean).toBeNaN();
    expect(Moments.of([3]).variance).toBeNaN();
  });
});
