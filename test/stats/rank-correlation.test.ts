import { expect, it } from "vitest";
import { rankCorrelation } from "../../src/stats/rank-correlation.ts";

it("is Spearman's coefficient, as in the textbook example of IQ and hours of television", () => {
  const iq = [106, 86, 100, 101, 99, 103, 97, 113, 112, 110];
  const hours = [7, 0, 27, 50, 28, 29, 20, 12, 6, 17];
  const { interval, value } = rankCorrelation(iq, hours);
  expect(value).toBeCloseTo(-29 / 165, 12);
  expect(interval[0]).toBeLessThan(value);
  expect(interval[1]).toBeGreaterThan(0);
});

it("gives ties their mean rank, and is 1 for any increasing relation", () => {
  expect(rankCorrelation([1, 2, 3, 4], [1, 10, 100, 1000]).value).toBeCloseTo(1, 12);
  // Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4.
  expect(rankCorrelation([1, 2, 2, 4], [1, 2, 3, 4]).value).toBeCloseTo(4.5 / Math.sqrt(4.5 * 5), 12);
});

it("needs four pairs", () => {
  expect(() => rankCorrelation([1, 2, 3], [1, 2, 3])).toThrow(RangeError);
});
