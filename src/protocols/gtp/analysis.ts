/** A move as an analysis shows it. */
export interface WatchedMove {
  readonly text: string;
  readonly visits: number;
  /** The win share that the search expects for the mover, 0 to 1. */
  readonly winShare: number;
  /** The prior probability; equal for all moves where the search has none of its own. */
  readonly prior: number;
  /** The principal variation, which begins with the move. */
  readonly variation: readonly string[];
}

/** One state of an analysis: the moves, the best first. */
export type AnalysisForm = (moves: readonly WatchedMove[]) => string;

/**
 * The line of `lz-analyze`: an `info` for each move, with probabilities in hundredths of a percent. Source: the readme of
 * Leela Zero, "Analysis".
 */
export const leelaForm: AnalysisForm = (moves) =>
  moves
    .map(
      ({ prior, text, variation, visits, winShare }, order) =>
        `info move ${text} visits ${visits} winrate ${share(winShare)} prior ${share(prior)} order ${order} pv ${variation.join(" ")}`,
    )
    .join(" ");

/**
 * The line of `kata-analyze`: as that of `lz-analyze` with probabilities from 0 to 1. Source: "GTP Extensions" in the
 * documentation of KataGo.
 */
export const kataForm: AnalysisForm = (moves) =>
  moves
    .map(
      ({ prior, text, variation, visits, winShare }, order) =>
        `info move ${text} visits ${visits} winrate ${winShare.toFixed(6)} prior ${prior.toFixed(6)} order ${order} pv ${variation.join(" ")}`,
    )
    .join(" ");

function share(probability: number): number {
  return Math.round(10_000 * probability);
}
