import { quantile } from "./quantiles.ts";

/** Counts of numbers in bins of equal width. */
export interface Histogram {
  /** Lower end of the first bin, a multiple of `width`. */
  readonly start: number;
  readonly width: number;
  /** Bin i holds start + i width <= x < start + (i + 1) width, up to rounding at the edges. */
  readonly counts: readonly number[];
}

/** The most bins: more would show noise, not shape. */
const MOST_BINS = 60;

/**
 * A bin width for a histogram: a round number (1, 2 or 5 times a power of ten) near the rule of Freedman and Diaconis
 * (1981), 2 IQR / n^(1/3), and wide enough for at most 60 bins. It is 1 if there are no values, or if all are equal.
 */
export function binWidth(values: ArrayLike<number>): number {
  if (values.length === 0) return 1;
  const sorted = Float64Array.from(values).sort();
  const low = sorted[0]!;
  const high = sorted.at(-1)!;
  if (!(Number.isFinite(low) && Number.isFinite(high)))
    throw new RangeError("values without bounds have no bins");
  const spread = quantile(sorted, 0.75) - quantile(sorted, 0.25);
  let width = roundUp(Math.max((2 * spread) / Math.cbrt(sorted.length), (high - low) / MOST_BINS));
  // A first bin that begins below the least value may need one more than the span says.
  while (Math.floor(high / width) - Math.floor(low / width) + 1 > MOST_BINS) width = roundUp(width * 1.5);
  return width;
}

/** The histogram of finite numbers with bins of a width, `binWidth` by default. No values give no bins. */
export function histogram(values: ArrayLike<number>, width = binWidth(values)): Histogram {
  const bins = Array.from(values, (value) => Math.floor(value / width));
  const first = bins.reduce((least, bin) => Math.min(least, bin), Infinity);
  const last = bins.reduce((most, bin) => Math.max(most, bin), -Infinity);
  if (bins.length === 0) return { start: 0, width, counts: [] };
  const counts = Array.from({ length: last - first + 1 }, () => 0);
  for (const bin of bins) counts[bin - first]!++;
  return { start: first * width, width, counts };
}

/** The least of 1, 2 or 5 times a power of ten that is not below x; 1 for 0. */
export function roundUp(x: number): number {
  if (x === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(x));
  const factor = [1, 2, 5, 10].find((f) => f * power >= x * (1 - 1e-12)) ?? 10;
  return factor * power;
}
