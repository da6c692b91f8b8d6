import { createRequire } from "node:module";

/** What a chi-square test found. */
export interface ChiSquareTest {
  readonly statistic: number;
  readonly degrees: number;
  /** How likely a statistic as great is where the rows have one distribution; below 1e-15 it is 0. */
  readonly p: number;
}

/** The part of jStat that is used; it brings no types. */
interface JStat {
  readonly chisquare: { cdf(x: number, degrees: number): number };
}

let jStat: JStat | undefined;

/**
 * Pearson's test of homogeneity (1900): whether the rows of a table of counts, row-major, all of the same length, are
 * draws from one distribution. Columns without counts are left out; with a single one left p is 1.
 */
export function chiSquareTest(rows: readonly (readonly number[])[]): ChiSquareTest {
  const sums = rows.map((row) => row.reduce((sum, count) => sum + count, 0));
  const total = sums.reduce((sum, count) => sum + count, 0);
  let statistic = 0;
  let columns = 0;
  for (let column = 0; column < (rows[0]?.length ?? 0); column++) {
    const counted = rows.reduce((sum, row) => sum + row[column]!, 0);
    if (counted === 0) continue;
    columns++;
    for (const [i, row] of rows.entries()) {
      const expected = (sums[i]! * counted) / total;
      if (expected > 0) statistic += (row[column]! - expected) ** 2 / expected;
    }
  }
  const degrees = Math.max(0, columns - 1) * (sums.filter((sum) => sum > 0).length - 1);
  return { statistic, degrees, p: degrees > 0 ? chiSquareTail(statistic, degrees) : 1 };
}

/** The probability that chi-square with so many degrees of freedom is greater than x; x from 0. */
export function chiSquareTail(x: number, degrees: number): number {
  // Loaded when a test is asked for: no thread that plays needs it.
  jStat ??= createRequire(import.meta.url)("jstat") as JStat;
  return Math.max(0, 1 - jStat.chisquare.cdf(x, degrees));
}
