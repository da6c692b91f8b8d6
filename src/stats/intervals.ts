import { Moments } from "./moments.ts";
import { NORMAL_95, studentT95 } from "./student-t.ts";

/** An estimate with its 95% confidence interval. */
export interface Estimate {
  readonly value: number;
  readonly interval: readonly [low: number, high: number];
}

/**
 * The mean of independent draws with Student's t interval: mean +- t s / sqrt(n).
 *
 * With one draw the interval is infinite, because the spread is unknown. Without draws it throws a RangeError.
 */
export function meanEstimate(values: Iterable<number>): Estimate {
  return momentsEstimate(Moments.of(values));
}

/** An interval as far as its quantity goes: Student's t knows no bounds, but shares and cosines have some. */
export function intervalWithin(
  [low, high]: Estimate["interval"],
  [least, most]: readonly [least: number, most: number],
): Estimate["interval"] {
  return [Math.max(least, low), Math.min(most, high)];
}

/** `meanEstimate` from moments that were gathered before. */
function momentsEstimate(moments: Moments): Estimate {
  const { count, mean: value, deviation } = moments;
  if (count === 0) throw new RangeError("no values to take the mean of");
  if (count === 1) return { value, interval: [-Infinity, Infinity] };
  const half = (studentT95(count - 1) * deviation) / Math.sqrt(count);
  return { value, interval: [value - half, value + half] };
}

/**
 * The mean of a - b over pairs of draws, with Student's t interval. The i-th draws of both lists were made under the same
 * conditions.
 *
 * If the pairs vary together, the interval is narrower than that of the difference of two means. The lists must be of
 * equal length.
 */
export function pairedGain(a: readonly number[], b: readonly number[]): Estimate {
  if (a.length !== b.length) throw new RangeError(`${a.length} and ${b.length} values make no pairs`);
  return meanEstimate(a.map((value, i) => value - b[i]!));
}

/**
 * The ratio of the means of a and b over pairs of draws, with Student's t interval by its linearisation (Cochran 1977,
 * *Sampling Techniques*, equation 6.13). An example is the time per move of games whose numbers of moves differ.
 *
 * The lists must be of equal length; the mean of b must not be 0.
 */
export function ratioEstimate(a: readonly number[], b: readonly number[]): Estimate {
  const { value: mean } = meanEstimate(b);
  const ratio = meanEstimate(a).value / mean;
  const { interval } = pairedGain(
    a,
    b.map((value) => ratio * value),
  );
  return { value: ratio, interval: [ratio + interval[0] / mean, ratio + interval[1] / mean] };
}

/**
 * The mean of numbers that come in blocks, with Student's t interval over blocks: numbers of one block may depend on each other. The
 * i-th number belongs to the block with the i-th number in `blocks`. Blocks may differ in size (Cochran 1977, *Sampling Techniques*,
 * equation 6.13).
 */
export function blockedMean(values: readonly number[], blocks: readonly number[]): Estimate {
  const sums = new Map<number, { sum: number; count: number }>();
  for (const [i, value] of values.entries()) {
    const block = sums.get(blocks[i]!) ?? { sum: 0, count: 0 };
    sums.set(blocks[i]!, { sum: block.sum + value, count: block.count + 1 });
  }
  const all = [...sums.values()];
  return ratioEstimate(
    all.map(({ sum }) => sum),
    all.map(({ count }) => count),
  );
}

/** A sum of win shares. Thirds and quarters have rounding errors, which would turn an even score into an uneven one. */
export function tidySum(won: number): number {
  const half = Math.round(2 * won) / 2;
  return Math.abs(won - half) < 1e-9 ? half : won;
}

/** A proportion with Wilson's score interval (Wilson 1927; Brown, Cai and DasGupta 2001, equation 4), good for small n and rare events. */
export function proportionEstimate(successes: number, trials: number): Estimate {
  if (!(trials > 0 && successes >= 0 && successes <= trials))
    throw new RangeError(`${successes} successes in ${trials} trials`);
  const value = successes / trials;
  return { value, interval: wilsonInterval(value, trials, NORMAL_95) };
}

/** Wilson's interval of a proportion of so many trials, for a quantile of its standardised error. */
export function wilsonInterval(value: number, trials: number, quantile: number): Estimate["interval"] {
  const q2 = quantile * quantile;
  const centre = (trials * value + q2 / 2) / (trials + q2);
  const half = (quantile * Math.sqrt(trials * value * (1 - value) + q2 / 4)) / (trials + q2);
  // At the ends the bounds are exactly 0 and 1; rounding must not push them further.
  return [value === 0 ? 0 : centre - half, value === 1 ? 1 : centre + half];
}
