import type { Random } from "../random.ts";
import { quantile } from "./quantiles.ts";

/**
 * 95% percentile intervals of several figures of one list of draws (Efron and Tibshirani 1993, section 13.3).
 *
 * The draws are numbered 0 to count - 1. `statistic` gets `count` numbers, drawn with replacement, and returns its
 * figures; their number must not change. The buffer of numbers is reused. If draws depend on each other within games or
 * blocks, number the games or blocks instead. The result depends on the arguments alone.
 */
export function bootstrapIntervals(
  count: number,
  statistic: (draws: Int32Array) => ArrayLike<number>,
  random: Random,
  resamples = 1000,
): [low: number, high: number][] {
  if (count < 1) throw new RangeError("nothing to draw from");
  const draws = new Int32Array(count);
  const replicates = Array.from({ length: resamples }, () => {
    for (let i = 0; i < count; i++) draws[i] = random.below(count);
    return Float64Array.from(statistic(draws));
  });
  return Array.from(replicates[0] ?? [], (_, figure) => {
    const sorted = Float64Array.from(replicates, (figures) => figures[figure]!).sort();
    return [quantile(sorted, 0.025), quantile(sorted, 0.975)];
  });
}
