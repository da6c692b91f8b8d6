import type { Estimate } from "./intervals.ts";
import {
  logLikelihoodRatio,
  sequentialBounds,
  type SequentialTest,
  sequentialVerdict,
} from "./sequential-test.ts";
import { designEffect } from "./share-tally.ts";
import { studentT95 } from "./student-t.ts";

/**
 * By how many standard deviations of a step a walk of normal steps passes a barrier, on average (Siegmund 1979, Advances in Applied
 * Probability 11).
 */
const OVERSHOOT = 0.583;

/** A Brownian motion from 0 that ends at one of two barriers. */
interface Walk {
  readonly drift: number;
  readonly variance: number;
  /** Distances of the barriers. */
  readonly above: number;
  readonly below: number;
}

/**
 * The mean score of blocks of so many `games` after a sequential test, with its 95% interval. The test has ended at a bound, or
 * undecided at the maximum number of blocks. `outcomes` maps each mean score of a block to its number of occurrences, at least one
 * in all.
 *
 * A test that ends at a bound ends when scores happen to be extreme: their plain mean is biased away from the middle of the
 * hypotheses, and its interval covers too seldom. Here results have an order: an early end at the upper bound, then a later one,
 * then no end, by the score, then a late end at the lower bound, then an earlier one (stage-wise ordering: Siegmund 1978,
 * Biometrika 65; 1985, *Sequential Analysis*, chapter 3). At the value, a result further up is as likely as one further down
 * (median unbiased); at the ends of the interval each has 2.5%. The sum of scores beyond the middle of the hypotheses is taken for a
 * Brownian motion. Its variance is that of `ShareTally`, and quantiles are Student's. A walk that has ended at a bound has its barrier
 * there; the other barriers are where the log likelihood ratio has its bounds, and beyond by the mean overshoot.
 */
export function sequentialEstimate(
  outcomes: ReadonlyMap<number, number>,
  test: SequentialTest,
  games: number,
): Estimate {
  const sumOf = (of: (score: number) => number) =>
    [...outcomes].reduce((sum, [score, count]) => sum + count * of(score), 0);
  const blocks = sumOf(() => 1);
  const mean = sumOf((score) => score) / blocks;
  const squares = games * sumOf((score) => (score - mean) ** 2);
  const effect = designEffect(blocks, squares, blocks * mean * (1 - mean));
  const varianceAt = (score: number) => (effect * score * (1 - score)) / games;
  const middle = (test.score0 + test.score1) / 2;
  const walked = blocks * (mean - middle);
  // The log likelihood ratio of scores with this mean square, to first order in the distance of the hypotheses.
  const scale = (varianceAt(mean) + (mean - middle) ** 2) / (test.score1 - test.score0);
  const [low, high] = sequentialBounds(test);
  const verdict = sequentialVerdict(logLikelihoodRatio(outcomes, test), test);
  /** The probability of a result as far up as the present one, or further. */
  const further = (score: number) => {
    const variance = varianceAt(score);
    const beyond = OVERSHOOT * Math.sqrt(variance);
    const drift = score - middle;
    const above = verdict === "score1" ? walked : scale * high + beyond;
    const below = verdict === "score0" ? -walked : beyond - scale * low;
    const up = { drift, variance, above, below };
    if (verdict === "score1") return endsAbove(up, blocks);
    if (verdict === "score0")
      return 1 - endsAbove({ drift: -drift, variance, above: below, below: above }, blocks);
    return endsAbove(up, blocks) + staysAbove(up, blocks, Math.min(above, Math.max(-below, walked)));
  };
  const scoreAt = (probability: number) => rising(further, probability);
  const value = scoreAt(0.5);
  if (blocks === 1) return { value, interval: [0, 1] };
  const level = tail(0, studentT95(blocks - 1));
  return { value, interval: [scoreAt(level), scoreAt(1 - level)] };
}

/** The probability that a walk ends at the upper barrier within some time: a sum over images of the barrier. */
export function endsAbove({ above, below, drift, variance }: Walk, time: number): number {
  const spread = Math.sqrt(variance * time);
  const speed = Math.abs(drift);
  let sum = 0;
  for (const shift of images(spread, above + below)) {
    const image = above + shift;
    const distance = Math.abs(image);
    sum +=
      Math.sign(image) *
      (tail((drift * above - speed * distance) / variance, (distance - speed * time) / spread) +
        tail((drift * above + speed * distance) / variance, (distance + speed * time) / spread));
  }
  return sum;
}

/** The probability that a walk has not ended after some time, and is at `least` or above it. */
export function staysAbove({ above, below, drift, variance }: Walk, time: number, least: number): number {
  const spread = Math.sqrt(variance * time);
  /** The normal probability of the positions in question about the end of a walk from `start`. */
  const from = (start: number) => {
    const [low, high] = [least, above].map((end) => (end - start - drift * time) / spread) as [
      number,
      number,
    ];
    const scale = (drift * start) / variance;
    if (low > 0) return tail(scale, low) - tail(scale, high);
    return high < 0
      ? tail(scale, -high) - tail(scale, -low)
      : Math.exp(scale) - tail(scale, -low) - tail(scale, high);
  };
  return images(spread, above + below).reduce((sum, shift) => sum + from(shift) - from(2 * above + shift), 0);
}

/** The shifts of images by twice the distance of the barriers, as far as they matter. */
function images(spread: number, distance: number): number[] {
  const most = Math.ceil((4 * spread) / distance) + 2;
  return Array.from({ length: 2 * most + 1 }, (_, i) => 2 * distance * (i - most));
}

/**
 * e^scale P(Z > z) for a standard normal Z. The relative error is below 1.2e-7 for z >= 0 (Press et al. 1992, *Numerical Recipes*,
 * section 6.2).
 */
function tail(scale: number, z: number): number {
  if (z < 0) return Math.exp(scale) - tail(scale, -z);
  const t = 1 / (1 + z / Math.SQRT2 / 2);
  const coefficients = [
    0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418, 0.37409196,
    1.00002368, -1.26551223,
  ];
  const exponent = coefficients.reduce((sum, coefficient) => sum * t + coefficient, 0);
  return (t / 2) * Math.exp(scale - (z * z) / 2 + exponent);
}

/** Where in [0, 1] a rising function takes a value; an end if it does not. */
function rising(of: (x: number) => number, value: number): number {
  let [low, high] = [0, 1];
  for (let round = 0; round < 40; round++) {
    const middle = (low + high) / 2;
    if (of(middle) < value) low = middle;
    else high = middle;
  }
  return high === 1 ? 1 : low;
}
