/** The measured time of a batch. */
export interface BatchTime {
  readonly rows: number;
  readonly milliseconds: number;
}

/** Batch sizes that are tried, up to the maximum size of a request. */
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128];

/** No further size is tried after this time, in milliseconds. */
const PATIENCE_MS = 400;

/** A batch counts as best if its time per row is at most this multiple of the least time per row. */
const TOLERANCE = 1.08;

/**
 * Measures batches of growing size and returns the target size. The first run of each size allocates memory and is not
 * counted; of two further runs the faster one counts.
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

/** The smallest batch size whose time per row is within `TOLERANCE` of the best. `times` are in order of size, at least one. */
export function enoughRows(times: readonly BatchTime[]): number {
  const cost = ({ rows, milliseconds }: BatchTime) => milliseconds / rows;
  const least = Math.min(...times.map(cost));
  return times.find((time) => cost(time) <= TOLERANCE * least)!.rows;
}
