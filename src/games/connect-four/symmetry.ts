import type { Symmetry } from "../game.ts";
import { COLUMN_BITS, type ConnectFourBoard, WORD_COLUMNS } from "./board.ts";
import type { ConnectFourState } from "./state.ts";

/** The mirror image of left and right; seats keep their stones. */
export function connectFourSymmetry({ columns }: ConnectFourBoard): Symmetry<ConnectFourState> {
  /** The lower word of the mirror image of a set of cells. */
  const mirroredLow = (low: number, high: number) => mirrored(columns, 0, low, high);
  const mirroredHigh = (low: number, high: number) => mirrored(columns, WORD_COLUMNS, low, high);
  return {
    count: 2,
    transform({ low0, high0, low1, high1, toMove, winner }, symmetry, into) {
      into.toMove = toMove;
      into.winner = winner;
      into.low0 = symmetry === 0 ? low0 : mirroredLow(low0, high0);
      into.high0 = symmetry === 0 ? high0 : mirroredHigh(low0, high0);
      into.low1 = symmetry === 0 ? low1 : mirroredLow(low1, high1);
      into.high1 = symmetry === 0 ? high1 : mirroredHigh(low1, high1);
    },
    action: (column, symmetry) => (symmetry === 0 ? column : columns - 1 - column),
    seat: (seat) => seat,
  };
}

/** The word that begins with column `first` of the mirror image of a set of cells. */
function mirrored(columns: number, first: number, low: number, high: number): number {
  let word = 0;
  for (let column = first; column < Math.min(columns, first + WORD_COLUMNS); column++) {
    const from = columns - 1 - column;
    const stones = (from < WORD_COLUMNS ? low : high) >>> (COLUMN_BITS * (from & (WORD_COLUMNS - 1)));
    word |= (stones & 0xff) << (COLUMN_BITS * (column - first));
  }
  return word;
}
