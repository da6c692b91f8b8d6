/** The two hypotheses of a sequential test and the errors it may make. */
export interface SequentialTest {
  /** The mean scores of the two hypotheses, both in (0, 1); score0 < score1. */
  readonly score0: number;
  readonly score1: number;
  /** The probability of accepting the second hypothesis if the first one holds. */
  readonly alpha: number;
  /** The probability of accepting the first hypothesis if the second one holds. */
  readonly beta: number;
}

/** Weight of the outcomes 0, 1/2 and 1 before the first draw: both hypotheses then stay possible after any draws. */
const REGULAR = 1e-3;

/**
 * Wald's bounds (1945, Annals of Mathematical Statistics 16, section 3.2): the test continues while the log likelihood
 * ratio lies between log(beta / (1 - alpha)) and log((1 - beta) / alpha); -2.944 and 2.944 for .05 and .05.
 */
export function sequentialBounds({ alpha, beta }: Pick<SequentialTest, "alpha" | "beta">): [number, number] {
  return [Math.log(beta / (1 - alpha)), Math.log((1 - beta) / alpha)];
}

/**
 * The generalised log likelihood ratio of "the mean is score1" to "the mean is score0" for independent draws in
 * [0, 1] of any distribution. For each hypothesis it takes the likeliest distribution over the observed outcomes among
 * those with the mean of the hypothesis (empirical likelihood, Owen 1988; tests of chess programs call it GSPRT). For
 * draws of 0 and 1 it is Wald's binomial ratio.
 *
 * `outcomes` maps each observed value to its number of occurrences.
 */
export function logLikelihoodRatio(
  outcomes: ReadonlyMap<number, number>,
  { score0, score1 }: Pick<SequentialTest, "score0" | "score1">,
): number {
  if (outcomes.size === 0) return 0;
  const counts = new Map([0, 0.5, 1].map((value) => [value, REGULAR]));
  for (const [value, count] of outcomes) counts.set(value, (counts.get(value) ?? 0) + count);
  const values = [...counts.keys()];
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const shares = [...counts.values()].map((count) => count / total);
  const tilt0 = tiltTowards(score0, values, shares);
  const tilt1 = tiltTowards(score1, values, shares);
  let ratio = 0;
  for (const [i, value] of values.entries())
    ratio += shares[i]! * Math.log((1 + tilt0 * (value - score0)) / (1 + tilt1 * (value - score1)));
  return total * ratio;
}

/**
 * The likeliest distribution with a given mean is share / (1 + x (value - mean)), with x the root of
 * sum share (value - mean) / (1 + x (value - mean)), which falls in x; found by bisection.
 */
function tiltTowards(mean: number, values: readonly number[], shares: readonly number[]): number {
  let low = -1 / (Math.max(...values) - mean);
  let high = 1 / (mean - Math.min(...values));
  for (;;) {
    const x = (low + high) / 2;
    if (x <= low || x >= high) return x;
    let sum = 0;
    for (const [i, value] of values.entries())
      sum += (shares[i]! * (value - mean)) / (1 + x * (value - mean));
    if (sum > 0) low = x;
    else high = x;
  }
}

/** The state of a sequential test: the accepted hypothesis, or none yet. */
export function sequentialVerdict(
  ratio: number,
  test: Pick<SequentialTest, "alpha" | "beta">,
): "score0" | "score1" | "undecided" {
  const [low, high] = sequentialBounds(test);
  return ratio <= low ? "score0" : ratio >= high ? "score1" : "undecided";
}
