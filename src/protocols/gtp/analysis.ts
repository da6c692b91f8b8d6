/** A move as an analysis shows it. What a search does not find out is absent. */
export interface WatchedMove {
  readonly text: string;
  /** The simulations that took the move; absent from a search that simulates nothing. */
  readonly visits?: number;
  /** The win share that the search expects for the mover, 0 to 1; absent if its values are none, as points are. */
  readonly winShare?: number;
  /** The prior probability. */
  readonly prior?: number;
  /** The principal variation, which begins with the move. */
  readonly variation: readonly string[];
}

/** How one state of an analysis is written: the moves, the best first. */
export type AnalysisForm = (moves: readonly WatchedMove[]) => string;

/**
 * The line of `lz-analyze`: an `info` for each move, with probabilities in hundredths of a percent. Source: the readme of
 * Leela Zero, "Analysis".
 */
export const leelaForm: AnalysisForm = (moves) =>
  infos(moves, (probability) => String(Math.round(10_000 * probability)));

/**
 * The line of `kata-analyze`: as that of `lz-analyze` with probabilities from 0 to 1. Source: "GTP Extensions" in the
 * documentation of KataGo.
 */
export const kataForm: AnalysisForm = (moves) => infos(moves, (probability) => probability.toFixed(6));

/** Keys whose values are unknown are left out. */
function infos(moves: readonly WatchedMove[], share: (probability: number) => string): string {
  return moves
    .map(({ prior, text, variation, visits, winShare }, order) =>
      [
        `info move ${text}`,
        ...(visits === undefined ? [] : [`visits ${visits}`]),
        ...(winShare === undefined ? [] : [`winrate ${share(winShare)}`]),
        ...(prior === undefined ? [] : [`prior ${share(prior)}`]),
        `order ${order} pv ${variation.join(" ")}`,
      ].join(" "),
    )
    .join(" ");
}
