import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chiSquareTail, chiSquareTest } from "../../src/stats/chi-square.ts";

describe("the chi-square distribution", () => {
  it("has the quantiles of the tables (NIST handbook, 1.3.6.7.4)", () => {
    for (const [degrees, x, tail] of [
      [1, 3.841, 0.05],
      [1, 6.635, 0.01],
      [4, 9.488, 0.05],
      [4, 13.277, 0.01],
      [4, 18.467, 0.001],
      [10, 18.307, 0.05],
      [100, 124.342, 0.05],
    ] as const)
      expect(chiSquareTail(x, degrees)).toBeCloseTo(tail, 4);
  });

  it("has at even degrees the tail of a Poisson sum", () => {
    for (const x of [0, 0.5, 3, 14.86, 40])
      expect(chiSquareTail(x, 4)).toBeCloseTo(Math.exp(-x / 2) * (1 + x / 2), 12);
  });
});

describe("the tail of chi-square", () => {
  it("has its known value to eleven digits, however small (mpmath: gammainc at 40 digits, regularized)", () => {
    for (const [degrees, x, tail] of [
      [1, 0.0001, 0.9920212873707368],
      [1, 100, 1.523970604832105e-23],
      [2, 1000, 7.124576406741286e-218],
      [3, 300, 9.94875834632771e-65],
      [5, 7.5, 0.186029833602867],
      [10, 29.588, 0.001000111941063482],
      [25, 80, 1.141061172719878e-7],
      [100, 400, 1.692797995885709e-37],
      [292, 293.78, 0.4597414108561659],
      [999, 2008, 3.903814900630741e-70],
    ] as const)
      expect(chiSquareTail(x, degrees) / tail).toBeCloseTo(1, 11);
  });

  it("agrees with the finite sums of Abramowitz and Stegun 26.4.4-5 in steps of two degrees", () => {
    for (const x of [0.01, 1, 3, 10, 11.9, 12, 12.1, 40, 200])
      for (const degrees of [1, 2, 3, 4, 9, 10, 11, 12, 39, 40]) {
        // Q(x | n + 2) - Q(x | n) = (x / 2)^(n / 2) e^(-x / 2) / Gamma(n / 2 + 1).
        const factors = Array.from({ length: Math.ceil(degrees / 2) }, (_, k) => degrees / 2 - k);
        const gamma = factors.reduce((product, z) => product * z, degrees % 2 === 0 ? 1 : Math.sqrt(Math.PI));
        const step = ((x / 2) ** (degrees / 2) * Math.exp(-x / 2)) / gamma;
        const tail = chiSquareTail(x, degrees + 2);
        expect(Math.abs(tail - chiSquareTail(x, degrees) - step)).toBeLessThan(1e-13 + 1e-12 * tail);
      }
  });

  it("is 1 at 0, 0 at infinity, and takes neither other degrees nor negative statistics", () => {
    expect(chiSquareTail(0, 3)).toBe(1);
    expect(chiSquareTail(Infinity, 3)).toBe(0);
    expect(chiSquareTail(1e9, 3)).toBe(0);
    expect(() => chiSquareTail(1, 2.5)).toThrow("2.5 degrees of freedom");
    expect(() => chiSquareTail(1, 0)).toThrow("0 degrees of freedom");
    expect(() => chiSquareTail(-1, 2)).toThrow("a chi-square statistic of -1");
    expect(() => chiSquareTail(NaN, 2)).toThrow("a chi-square statistic of NaN");
  });
});

describe("a test of homogeneity", () => {
  it("gives the textbook's statistic", () => {
    // 2x2: n (ad - bc)^2 / product of the margins.
    const { statistic, degrees, p } = chiSquareTest([
      [10, 20],
      [30, 40],
    ]);
    expect(statistic).toBeCloseTo((100 * (10 * 40 - 20 * 30) ** 2) / (30 * 70 * 40 * 60), 12);
    expect(degrees).toBe(1);
    expect(p).toBeCloseTo(0.373, 4);
  });

  it("takes tables of more than two rows: income and job satisfaction (Agresti, Categorical Data Analysis)", () => {
    // R: chisq.test(Job), with the table of its example of fisher.test.
    const { statistic, degrees, p } = chiSquareTest([
      [1, 2, 1, 0],
      [3, 3, 6, 1],
      [10, 10, 14, 9],
      [6, 7, 12, 11],
    ]);
    expect(statistic).toBeCloseTo(5.9655, 4);
    expect(degrees).toBe(9);
    expect(p).toBeCloseTo(0.7434, 4);
    expect(
      chiSquareTest([
        [1, 2, 3, 0, 4],
        [2, 4, 6, 0, 8],
        [0, 0, 0, 0, 0],
        [3, 6, 9, 0, 12],
      ]),
    ).toEqual({ statistic: 0, degrees: 6, p: 1 });
  });

  it("leaves out columns and rows without counts, and has nothing to say of one column", () => {
    expect(
      chiSquareTest([
        [10, 0, 20],
        [30, 0, 40],
      ]).degrees,
    ).toBe(1);
    expect(chiSquareTest([[5], [7]])).toEqual({ statistic: 0, degrees: 0, p: 1 });
    expect(chiSquareTest([]).p).toBe(1);
  });

  it("finds in tables 3 to 8 of Tsubokura and Nishino three differences at .005, not six", () => {
    const file = join(import.meta.dirname, "../../docs/results/daihinmin-grouping/source-counts.csv");
    const times = readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => Number(line.split(",").at(-1)));
    const tables = Array.from({ length: 6 }, (_, i) =>
      [0, 5].map((row) => times.slice(10 * i + row, 10 * i + row + 5)),
    );
    // Table 4 has 56 games too many; all others have 1,000.
    const games = tables.flatMap((table) => table.map((row) => row.reduce((sum, count) => sum + count, 0)));
    expect(games.filter((count) => count !== 1000)).toEqual([1056, 1056]);
    expect([games[2], games[3]]).toEqual([1056, 1056]);
    const tests = tables.map(chiSquareTest);
    expect(tests.map(({ degrees }) => degrees)).toEqual([4, 4, 4, 4, 4, 4]);
    expect(tests.map(({ p }) => p < 0.005)).toEqual([true, false, true, false, false, true]);
    expect(tests[1]!.p).toBeGreaterThan(0.05);
    // Two players of one game cannot share a place: with five players the statistic of equal players is 5/4 too great.
    const corrected = tests.map(({ statistic, degrees }) => chiSquareTail(statistic / 1.25, degrees));
    expect(corrected.map((p) => p < 0.005)).toEqual([true, false, true, false, false, false]);
    expect(corrected[5]).toBeCloseTo(0.0095, 4);
  });
});
