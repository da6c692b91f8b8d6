/** Work done by a moment: seconds since the measurement began, and units done since then. */
export interface Done {
  readonly seconds: number;
  readonly units: number;
}

/** The greatest power with which the time is taken to grow: games that become longer do not do so for ever. */
const STEEPEST = 2;

/** Units that show how the time grows: of a few, the time depends on what else the machine does. */
const FEWEST = 20;

/**
 * The power p by which time grows with the units done, t ~ units^p, between the middle and the end of a measurement: 1 for
 * units of equal cost or too few of them, above 1 if games become longer as play improves. `course` is in the order of time.
 */
export function growthOf(course: readonly Done[]): number {
  const last = course.at(-1);
  if (last === undefined || last.units === 0) return 1;
  const middle = course.findLast(
    ({ units, seconds }) => units <= last.units / 2 && units >= FEWEST && seconds > 0,
  );
  if (middle === undefined) return 1;
  const power = Math.log(last.seconds / middle.seconds) / Math.log(last.units / middle.units);
  return Math.min(STEEPEST, Math.max(1, power));
}

/** Mean seconds per unit; undefined if nothing was done. */
export function meanSeconds(course: readonly Done[]): number | undefined {
  const last = course.at(-1);
  return last === undefined || last.units === 0 ? undefined : last.seconds / last.units;
}

/** Seconds per unit over a total number of units, of which the first were measured; undefined if nothing was done. */
export function secondsPerUnit(course: readonly Done[], total: number): number | undefined {
  const mean = meanSeconds(course);
  if (mean === undefined) return undefined;
  const further = Math.max(1, total / course.at(-1)!.units);
  return mean * further ** (growthOf(course) - 1);
}
