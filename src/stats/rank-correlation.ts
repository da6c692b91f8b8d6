import type { Estimate } from "./intervals.ts";
import { NORMAL_95 } from "./student-t.ts";

/**
 * Spearman's rank correlation, ties with their mean rank, with an approximate 95% interval: Fisher's z with the standard error
 * sqrt(1.06 / (n - 3)) (Fieller, Hartley and Pearson 1957).
 *
 * Needs at least four pairs; throws a RangeError otherwise. Not a number if all values of a list are equal.
 */
export function rankCorrelation(xs: readonly number[], ys: readonly number[]): Estimate {
  const n = xs.length;
  if (n !== ys.length || n < 4)
    throw new RangeError(`${n} and ${ys.length} values: at least four pairs are needed`);
  const [a, b] = [ranks(xs), ranks(ys)];
  const mean = (n + 1) / 2;
  const sum = (f: (i: number) => number) => a.reduce((total, _, i) => total + f(i), 0);
  const value =
    sum((i) => (a[i]! - mean) * (b[i]! - mean)) /
    Math.sqrt(sum((i) => (a[i]! - mean) ** 2) * sum((i) => (b[i]! - mean) ** 2));
  const half = NORMAL_95 * Math.sqrt(1.06 / (n - 3));
  // Rounding must not push the correlation beyond what has an inverse hyperbolic tangent.
  const z = Math.atanh(Math.min(1, Math.max(-1, value)));
  return { value, interval: [Math.tanh(z - half), Math.tanh(z + half)] };
}

/** The rank of each value, from 1 on; equal values share the mean of their ranks. */
function ranks(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  return values.map((value) => (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2 + 1);
}
