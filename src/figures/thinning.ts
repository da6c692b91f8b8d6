/** A point of a long series, and the number of single values that it summarizes. */
export interface WeightedPoint {
  readonly x: number;
  readonly y: number;
  readonly weight: number;
}

/** A point in place of several ones. */
export interface ThinnedPoint extends WeightedPoint {
  /** The least and the greatest of the values that it summarizes, and their number; absent for a single value. */
  readonly least?: number;
  readonly most?: number;
  readonly of?: number;
}

/**
 * At most `most` points in place of many: neighbours are put together in equal numbers, at the place of the last with
 * their weighted mean, so that a long noisy series shows its course; and with their least and greatest value, so that no spike is lost.
 */
export function thinned(points: readonly WeightedPoint[], most = 200): ThinnedPoint[] {
  const size = Math.ceil(points.length / most);
  if (size <= 1) return [...points];
  return Array.from({ length: Math.ceil(points.length / size) }, (_, i) => {
    const group = points.slice(i * size, (i + 1) * size);
    const weight = group.reduce((sum, point) => sum + point.weight, 0);
    const y = group.reduce((sum, point) => sum + point.y * point.weight, 0) / weight;
    const values = group.map((point) => point.y);
    const ends = { least: Math.min(...values), most: Math.max(...values), of: group.length };
    return { x: group.at(-1)!.x, y, weight, ...ends };
  });
}
