import { describe, expect, it } from "vitest";
import { studentT95 } from "../../src/stats/student-t.ts";

describe("studentT95", () => {
  it("has the closed forms of one and two degrees of freedom", () => {
    expect(studentT95(1)).toBeCloseTo(Math.tan(0.475 * Math.PI), 11);
    expect(studentT95(2)).toBeCloseTo(0.95 * Math.sqrt(2 / (1 - 0.95 ** 2)), 11);
  });

  // scipy.stats.t.ppf(0.975, n), scipy 1.17.1; the last is the limit, scipy.stats.norm.ppf(0.975).
  it.each([
    [5, 2.5705818356363146],
    [10, 2.228138851986274],
    [30, 2.0422724563012378],
    [199, 1.9719565442517533],
    [200, 1.9718962236339088],
    [201, 1.971836506779859],
    [1000, 1.9623390808264083],
    [1_000_000, 1.959966356814107],
    [Number.MAX_SAFE_INTEGER, 1.959963984540054],
  ])("agrees with scipy at %i degrees of freedom", (n, t) => {
    expect(studentT95(n)).toBeCloseTo(t, 10);
  });

  it("decreases across the border of its two methods", () => {
    for (let n = 1; n < 400; n++) expect(studentT95(n)).toBeGreaterThan(studentT95(n + 1));
  });

  it("refuses what is no number of degrees of freedom", () => {
    for (const n of [0, -1, 1.5, NaN]) expect(() => studentT95(n)).toThrow(RangeError);
  });
});
