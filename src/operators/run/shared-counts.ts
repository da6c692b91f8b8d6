/** Index of the decisions in the shared counters of a stage. */
export const DECISIONS = 0;
/** Index of the evaluations there. */
export const EVALUATIONS = 1;

/**
 * Counters that all threads of a stage add to: decisions made in its games, and positions evaluated for them. They are
 * numbers of 32 bits that begin again at 0: readers take differences.
 */
export type SharedCounts = Int32Array;

/** Counts a decision in a game of the stage. */
export function countDecision(counts: SharedCounts): void {
  Atomics.add(counts, DECISIONS, 1);
}

/** Counts positions that a game of the stage has requested evaluations of. */
export function countEvaluations(counts: SharedCounts, positions: number): void {
  Atomics.add(counts, EVALUATIONS, positions);
}
