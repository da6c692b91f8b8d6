import type { Device } from "../../../compute/engine.ts";

/** The measured time of a batch. */
export interface BatchTime {
  readonly rows: number;
  readonly milliseconds: number;
}

/**
 * The largest batch that a measurement tries. On the CPU rows get no cheaper beyond a few, and a batch rarely has the
 * requests of more than one group of games, which are at most `batch` rows; on a GPU it has those of all worker threads.
 */
export function mostRows(device: Device, batch: number, workers: number): number {
  return device === "cpu" ? Math.min(32, batch) : Math.min(2048, batch * workers);
}

/** After this time of counted runs, in milliseconds, no further size is tried, and then no size is tried again. */
const PATIENCE_MS = 400;

/** How often each size is timed, if the time allows it. */
const ROUNDS = 5;

/**
 * What a batch costs beside its computation, in milliseconds: the thread that plays wakes up, writes its next requests, and
 * wakes the evaluator. The measurement has no such threads, so this is a constant (docs/notebook/benchmarks.md).
 */
const HAND_OVER_MS = 0.2;

/** A batch counts as best if its time per row is at most this multiple of the least time per row. */
const TOLERANCE = 1.08;

/**
 * Measures batches of 1, 2, 4, ... rows, `most` at most, and returns the target size.
 *
 * The first run of each size is not counted, neither in its time nor in the patience: it allocates memory, and on a GPU it
 * compiles shaders, which takes a hundred times as long as the batch. Of the further runs the fastest one counts. They are
 * made in rounds over the sizes, so that other work of the machine, which comes and goes, slows all sizes.
 */
export async function measureBatchSize(
  run: (rows: number) => Promise<void>,
  most: number,
  now: () => number = () => performance.now(),
): Promise<number> {
  const times: BatchTime[] = [];
  let counted = 0;
  const timed = async (rows: number) => {
    const start = now();
    await run(rows);
    return now() - start;
  };
  for (let rows = 1; rows <= most && counted <= PATIENCE_MS; rows *= 2) {
    await run(rows);
    const milliseconds = await timed(rows);
    counted += milliseconds;
    times.push({ rows, milliseconds });
  }
  for (let round = 1; round < ROUNDS; round++)
    for (const [i, { rows, milliseconds }] of times.entries()) {
      if (counted > PATIENCE_MS) break;
      const again = await timed(rows);
      counted += again;
      times[i] = { rows, milliseconds: Math.min(milliseconds, again) };
    }
  return enoughRows(
    times.map(({ rows, milliseconds }) => ({ rows, milliseconds: milliseconds + HAND_OVER_MS })),
  );
}

/** The smallest batch size whose time per row is within `TOLERANCE` of the best. `times` are in order of size, at least one. */
export function enoughRows(times: readonly BatchTime[]): number {
  const cost = ({ rows, milliseconds }: BatchTime) => milliseconds / rows;
  const least = Math.min(...times.map(cost));
  return times.find((time) => cost(time) <= TOLERANCE * least)!.rows;
}
