import type { Estimate } from "./intervals.ts";
import { Moments } from "./moments.ts";
import { studentT95 } from "./student-t.ts";

/**
 * The difference of the means of two independent samples, mean(a) - mean(b), with Welch's interval: Student's t with the
 * degrees of freedom of Welch (1947) and Satterthwaite (1946), rounded down. The variances may differ.
 *
 * Each sample needs two values; throws a RangeError otherwise.
 */
export function welchDifference(a: readonly number[], b: readonly number[]): Estimate {
  if (a.length < 2 || b.length < 2)
    throw new RangeError(`samples of ${a.length} and ${b.length} values have no spread`);
  const [one, other] = [Moments.of(a), Moments.of(b)];
  const value = one.mean - other.mean;
  const [v, w] = [one.variance / one.count, other.variance / other.count];
  if (v + w === 0) return { value, interval: [value, value] };
  const freedom = (v + w) ** 2 / (v ** 2 / (one.count - 1) + w ** 2 / (other.count - 1));
  const half = studentT95(Math.max(1, Math.floor(freedom))) * Math.sqrt(v + w);
  return { value, interval: [value - half, value + half] };
}

/**
 * The difference a - b of two independent proportions with Newcombe's interval, which combines their Wilson intervals
 * (Newcombe 1998, *Interval estimation for the difference between independent proportions*, method 10).
 */
export function differenceOfShares(a: Estimate, b: Estimate): Estimate {
  const value = a.value - b.value;
  const below = Math.hypot(a.value - a.interval[0], b.interval[1] - b.value);
  const above = Math.hypot(a.interval[1] - a.value, b.value - b.interval[0]);
  return { value, interval: [value - below, value + above] };
}
