import { sizeOfPiece } from "./board.ts";

/** The features of each side, in order: see `blokusFeatures`. */
export const MEASURES = [
  "placed",
  "largest",
  "points",
  "reach",
  "nearer",
  "sole",
  "moves of 5",
  "moves of 4",
  "moves of 1-3",
] as const;

/** Far more moves than any position has. */
const MOST_MOVES = 4096;

/** By number of moves: the feature. */
export const movesFeature = Float64Array.from(
  { length: MOST_MOVES + 1 },
  (_, n) => Math.log1p(n) / Math.log1p(1024),
);

/** The feature of this number of attach points; 32 give 1. */
export function pointsFeature(points: number): number {
  return points / 32;
}

/** The squares of the largest of the pieces, one bit a piece; 0 if there is none. Larger pieces have lower bits. */
export function largestOf(pieces: number): number {
  return pieces === 0 ? 0 : sizeOfPiece[31 - Math.clz32(pieces & -pieces)]!;
}
