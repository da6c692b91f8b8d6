/** What a batch of so many rows was measured to cost. */
export interface BatchTime {
  readonly rows: number;
  readonly milliseconds: number;
}

/** Sizes of batches that are tried, up to the most rows that may be asked at once. */
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128];

/** After so many milliseconds no further size is tried. */
const PATIENCE_MS = 400;

/** A batch is as good as the best where a row costs at most so many times as much. */
const TOLERANCE = 1.08;

/**
 * Measures batches of growing size and returns the size to aim at. The first run of each size, which finds its memory, is
 * not counted; of two others the faster one is.
 */
export async function measureBatchSize(
  run: (rows: number) => Promise<void>,
  most: number,
  now: () => number = () => performance.now(),
): Promise<number> {
  const begun = now();
  const times: BatchTime[] = [];
  for (const rows of SIZES.filter((size) => size <= most)) {
    if (times.length > 0 && now() - begun > PATIENCE_MS) break;
    await run(rows);
    let milliseconds = Infinity;
    for (let time = 0; time < 2; time++) {
      const start = now();
      await run(rows);
      milliseconds = Math.min(milliseconds, now() - start);
    }
    times.push({ rows, milliseconds });
  }
  return enoughRows(times);
}

/** The smallest batch whose rows cost hardly more than those of the best; of times by growing size, at least one. */
export function enoughRows(times: readonly BatchTime[]): number {
  const cost = ({ rows, milliseconds }: BatchTime) => milliseconds / rows;
  const least = Math.min(...times.map(cost));
  return times.find((time) => cost(time) <= TOLERANCE * least)!.rows;
}
