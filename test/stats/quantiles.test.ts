import { describe, expect, it } from "vitest";
import { quantile } from "../../src/stats/quantiles.ts";

describe("quantile", () => {
  // numpy.quantile([3,1,4,1,5,9,2,6], p)
  it.each([
    [0, 1],
    [0.05, 1],
    [0.25, 1.75],
    [0.5, 3.5],
    [0.9, 6.9],
    [1, 9],
  ])("agrees with NumPy at %d", (p, value) => {
    expect(quantile([1, 1, 2, 3, 4, 5, 6, 9], p)).toBeCloseTo(value, 12);
  });

  it("refuses an empty list and an impossible share", () => {
    expect(() => quantile([], 0.5)).toThrow(RangeError);
    for (const p of [-0.1, 1.1, NaN]) expect(() => quantile([1], p)).toThrow(RangeError);
  });
});
