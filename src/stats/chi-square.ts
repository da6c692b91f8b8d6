/** The result of a chi-square test. */
export interface ChiSquareTest {
  readonly statistic: number;
  readonly degrees: number;
  /** The probability of a statistic at least as great if all rows have one distribution. */
  readonly p: number;
}

/**
 * Pearson's test of homogeneity (1900): whether the rows of a table of counts, row-major, all of the same length, are
 * draws from one distribution. Columns without counts are left out. With fewer than two columns or rows left, p is 1.
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

/**
 * P(X > x) for chi-square X with n degrees of freedom, n a positive integer and x >= 0: the regularised incomplete gamma
 * function Q(n / 2, x / 2) (Abramowitz and Stegun 1964, 26.4.19). Small tails keep their relative precision: 1e-200 has
 * twelve digits too.
 */
export function chiSquareTail(x: number, n: number): number {
  if (!Number.isInteger(n) || n < 1) throw new RangeError(`${n} degrees of freedom`);
  if (!(x >= 0)) throw new RangeError(`a chi-square statistic of ${x}`);
  if (x === 0) return 1;
  if (x === Infinity) return 0;
  const [a, y] = [n / 2, x / 2];
  // y^a e^-y / Gamma(a), which both expansions have in front.
  const front = Math.exp(a * Math.log(y) - y - logGamma(n));
  return y < a + 1 ? 1 - front * lowerSeries(a, y) : front * upperFraction(a, y);
}

/** The logarithm of Gamma(n / 2), from Gamma(1) = 1 or Gamma(1/2) = sqrt pi, by Gamma(z + 1) = z Gamma(z). */
function logGamma(n: number): number {
  let sum = n % 2 === 0 ? 0 : Math.log(Math.PI) / 2;
  for (let z = n / 2 - 1; z > 0; z--) sum += Math.log(z);
  return sum;
}

/** The sum of y^k / (a (a + 1) ... (a + k)), k from 0 (Abramowitz and Stegun 6.5.29): quick if y < a + 1. */
function lowerSeries(a: number, y: number): number {
  let term = 1 / a;
  let sum = term;
  for (let k = 1; term > sum * Number.EPSILON; k++) {
    term *= y / (a + k);
    sum += term;
  }
  return sum;
}

/**
 * The continued fraction 1 / (y + 1 - a - 1 (1 - a) / (y + 3 - a - 2 (2 - a) / (y + 5 - a - ...))), the even part of
 * Abramowitz and Stegun 6.5.31, by Lentz's method as Press et al. write it (Numerical Recipes 1992, 5.2 and 6.2): quick
 * if y >= a + 1, and all its denominators are positive there.
 */
function upperFraction(a: number, y: number): number {
  let b = y + 1 - a;
  let c = Infinity;
  let d = 1 / b;
  let value = d;
  for (let k = 1; ; k++) {
    const numerator = k * (a - k);
    b += 2;
    d = 1 / (numerator * d + b);
    c = b + numerator / c;
    const change = c * d;
    value *= change;
    if (Math.abs(change - 1) < 1e-15) return value;
  }
}
