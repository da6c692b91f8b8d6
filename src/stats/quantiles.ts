/**
 * The p-quantile of numbers sorted in increasing order, 0 <= p <= 1, interpolated between neighbours: definition 7 of
 * Hyndman and Fan (1996), the default of R, NumPy and spreadsheets.
 */
export function quantile(sorted: ArrayLike<number>, p: number): number {
  if (sorted.length === 0) throw new RangeError("no values to take a quantile of");
  if (!(p >= 0 && p <= 1)) throw new RangeError(`no ${p}-quantile`);
  const place = (sorted.length - 1) * p;
  const below = Math.floor(place);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (place - below) * (high - low);
}
