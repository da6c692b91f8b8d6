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
 * The mean of returns with its interval: Wilson's where returns are `shares` of a win, Student's t otherwise. The mean of win
 * shares is the share of games won, and has the interval of that.
 *
 * Win shares lie within [0, 1], so their variance is at most that of wins and losses: the interval is rather too wide.
 */
export function returnEstimate(returns: readonly number[], shares: boolean): Estimate {
  if (!shares || returns.length === 0) return meanEstimate(returns);
  const won = returns.reduce((sum, value) => sum + value, 0);
  return proportionEstimate(Math.min(tidySum(won), returns.length), returns.length);
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
  const z2 = NORMAL_95 * NORMAL_95;
  const centre = (successes + z2 / 2) / (trials + z2);
  const half = (NORMAL_95 * Math.sqrt(trials * value * (1 - value) + z2 / 4)) / (trials + z2);
  // At the ends the bounds are exactly 0 and 1; rounding must not push them further.
  const low = successes === 0 ? 0 : centre - half;
  const high = successes === trials ? 1 : centre + half;
  return { value, interval: [low, high] };
}
