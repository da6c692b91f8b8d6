import type { Estimate } from "./intervals.ts";

/** Elo points by which the odds grow tenfold (Elo 1978, section 8.4, in its logistic form). */
const SCALE = 400;

/** Elo points per unit of the natural logarithm of odds. */
const ELO_PER_LOG_ODDS = SCALE / Math.LN10;

/**
 * The difference in Elo that corresponds to an expected score: 400 log10(s / (1 - s)); 190.8 for .75.
 *
 * `score` is in [0, 1]; a draw counts half. 0 and 1 give infinities.
 */
export function eloOfScore(score: number): number {
  if (!(score >= 0 && score <= 1)) throw new RangeError(`no expected score ${score}`);
  return SCALE * Math.log10(score / (1 - score));
}

/** The expected score of a side that is stronger by this much Elo: 1 / (1 + 10^(-elo / 400)). */
export function scoreOfElo(elo: number): number {
  return 1 / (1 + 10 ** (-elo / SCALE));
}

/** An estimated score as a difference in Elo; the interval's ends are mapped one by one. */
export function eloEstimate({ value, interval }: Estimate): Estimate {
  return { value: eloOfScore(value), interval: [eloOfScore(interval[0]), eloOfScore(interval[1])] };
}

/** An estimated strength in units of the natural logarithm of odds, as Elo. */
export function eloOfLogOdds({ value, interval }: Estimate): Estimate {
  return {
    value: ELO_PER_LOG_ODDS * value,
    interval: [ELO_PER_LOG_ODDS * interval[0], ELO_PER_LOG_ODDS * interval[1]],
  };
}
