import { expect, it } from "vitest";
import { differenceOfShares, welchDifference } from "../../src/stats/differences.ts";
import { proportionEstimate } from "../../src/stats/intervals.ts";

it("gives Welch's interval, as R's t.test does (degrees of freedom rounded down)", () => {
  // R: t.test(c(27.5,21,19,23.6,17,17.9), c(27.1,22,20.8,23.4,23.4,23.5)): mean difference -2.3667, 7.64 degrees of freedom.
  const { value, interval } = welchDifference(
    [27.5, 21, 19, 23.6, 17, 17.9],
    [27.1, 22, 20.8, 23.4, 23.4, 23.5],
  );
  expect(value).toBeCloseTo(-2.36667, 4);
  // With 7 degrees of freedom t is 2.364624; R's interval, with 7.64 of them, ends at 1.9005.
  expect(interval[0] + interval[1]).toBeCloseTo(2 * value, 10);
  const error = Math.hypot(...[3.96535, 2.117231].map((deviation) => deviation / Math.sqrt(6)));
  expect(interval[1] - value).toBeCloseTo(2.364624 * error, 5);
});

it("needs a spread in both samples", () => {
  expect(() => welchDifference([1], [1, 2])).toThrow(RangeError);
  expect(welchDifference([1, 1], [0, 0])).toEqual({ value: 1, interval: [1, 1] });
});

it("gives Newcombe's interval of his table II, method 10", () => {
  const { value, interval } = differenceOfShares(proportionEstimate(56, 70), proportionEstimate(48, 80));
  expect(value).toBeCloseTo(0.2, 10);
  expect(interval.map((end) => Number(end.toFixed(4)))).toEqual([0.0524, 0.3339]);
  const rare = differenceOfShares(proportionEstimate(10, 10), proportionEstimate(0, 10));
  expect(rare.interval.map((end) => Number(end.toFixed(4)))).toEqual([0.6075, 1]);
});
