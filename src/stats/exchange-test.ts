import type { Random } from "../random.ts";

/** The result of a permutation test of two agents that were measured together. */
export interface ExchangeTest {
  /** For each statistic: the probability that it is at least as great if the two agents are alike. */
  readonly p: readonly number[];
  /** The number of ways to exchange the agents that were tried. */
  readonly ways: number;
  /** Whether these are all ways. */
  readonly exact: boolean;
}

/** Statistics that differ by less than this share are equal: they differ by rounding alone. */
const ROUNDING = 1e-9;

/**
 * A permutation test of whether two agents are alike (Fisher 1935, *The Design of Experiments*, section 21): in each unit,
 * such as all games of one deal, the agents may be exchanged, independently of the other units. If the agents are alike,
 * every way to exchange them is equally likely. Unlike Pearson's test it needs no independence within a unit, not even of
 * the two agents at one table.
 *
 * `differences`, shape [units, width]: in each unit, what the first agent has more than the second. An exchange changes
 * the signs of a row. A statistic is a function of the sums of the columns, shape [width]; great values speak against
 * the hypothesis. With at most `draws` + 1 ways all are tried. Otherwise `draws` ways are drawn, and the observed way
 * counts as one more (Phipson and Smyth 2010, *Permutation P-values should never be zero*), so that no p is
 * 0. Throws a RangeError without units.
 */
export function exchangeTest(
  differences: readonly ArrayLike<number>[],
  statistics: readonly ((sums: Float64Array) => number)[],
  random: Random,
  draws = 9999,
): ExchangeTest {
  const units = differences.length;
  const width = differences[0]?.length ?? 0;
  if (units === 0) throw new RangeError("no units to exchange two agents in");
  const rows = Float64Array.from(differences.flatMap((row) => Array.from(row)));
  const sums = new Float64Array(width);
  const add = (unit: number, sign: number) => {
    for (let i = 0; i < width; i++) sums[i]! += sign * rows[unit * width + i]!;
  };
  for (let unit = 0; unit < units; unit++) add(unit, 1);
  const least = statistics.map((statistic) => statistic(sums)).map((x) => x - ROUNDING * Math.abs(x));
  const counts = statistics.map(() => 0);
  const count = () => {
    for (const [i, statistic] of statistics.entries()) if (statistic(sums) >= least[i]!) counts[i]!++;
  };
  const exact = units < 31 && 2 ** units <= draws + 1;
  if (exact) {
    for (let way = 0; way < 2 ** units; way++) {
      sums.fill(0);
      for (let unit = 0; unit < units; unit++) add(unit, (way >> unit) & 1 ? -1 : 1);
      count();
    }
    return { p: counts.map((each) => each / 2 ** units), ways: 2 ** units, exact };
  }
  for (let way = 0; way < draws; way++) {
    sums.fill(0);
    let bits = 0;
    for (let unit = 0; unit < units; unit++) {
      if (unit % 32 === 0) bits = random.uint32();
      add(unit, (bits >>> (unit % 32)) & 1 ? -1 : 1);
    }
    count();
  }
  return { p: counts.map((each) => (each + 1) / (draws + 1)), ways: draws, exact };
}
