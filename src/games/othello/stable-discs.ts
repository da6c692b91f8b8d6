import { bitCount } from "../bits.ts";
import type { OthelloBoard } from "./board.ts";
import type { OthelloState } from "./state.ts";

/**
 * Bounds of the number of discs of each seat at the end: it keeps its stable discs, and the rest of the board may become the
 * opponent's.
 */
export function boundDiscs(
  { low0, high0, low1, high1 }: OthelloState,
  board: OthelloBoard,
  least: Float64Array,
  most: Float64Array,
): void {
  least[0] = stableDiscs(low0, high0, board);
  least[1] = stableDiscs(low1, high1, board);
  most[0] = board.squares - least[1];
  most[1] = board.squares - least[0];
}

/**
 * The number of discs that are surely stable, which is at most the number of stable ones: in each of the four lines through
 * such a disc, one of its two neighbours is off the board or a surely stable disc of the same seat. So no line can be closed
 * from both ends around it.
 */
function stableDiscs(low: number, high: number, { size, allLow, allHigh }: OthelloBoard): number {
  // Without a corner no disc is surely stable.
  const last = size - 1;
  const columns = 0x01010101;
  const lastRow = 8 * last;
  const cornersLow = 1 | (1 << last) | (lastRow < 32 ? (1 << lastRow) | (1 << (lastRow + last)) : 0);
  const cornersHigh = lastRow < 32 ? 0 : (1 << (lastRow - 32)) | (1 << (lastRow - 32 + last));
  if (((low & cornersLow) | (high & cornersHigh)) === 0) return 0;
  const sidesLow = (columns | (columns << last)) & allLow;
  const sidesHigh = (columns | (columns << last)) & allHigh;
  const row = (1 << size) - 1;
  const endsLow = row | (lastRow < 32 ? row << lastRow : 0);
  const endsHigh = lastRow < 32 ? 0 : row << (lastRow - 32);
  const borderLow = sidesLow | endsLow;
  const borderHigh = sidesHigh | endsHigh;

  // From the corners on: a disc that is found makes others stable.
  let foundLow = low & cornersLow;
  let foundHigh = high & cornersHigh;
  for (;;) {
    const rowLow = sidesLow | (foundLow << 1) | (foundLow >>> 1);
    const rowHigh = sidesHigh | (foundHigh << 1) | (foundHigh >>> 1);
    const columnLow = endsLow | (foundLow << 8) | (foundLow >>> 8) | (foundHigh << 24);
    const columnHigh = endsHigh | (foundHigh << 8) | (foundLow >>> 24) | (foundHigh >>> 8);
    const fallLow = borderLow | (foundLow << 9) | (foundLow >>> 9) | (foundHigh << 23);
    const fallHigh = borderHigh | (foundHigh << 9) | (foundLow >>> 23) | (foundHigh >>> 9);
    const riseLow = borderLow | (foundLow << 7) | (foundLow >>> 7) | (foundHigh << 25);
    const riseHigh = borderHigh | (foundHigh << 7) | (foundLow >>> 25) | (foundHigh >>> 7);
    const nextLow = foundLow | (low & rowLow & columnLow & fallLow & riseLow);
    const nextHigh = foundHigh | (high & rowHigh & columnHigh & fallHigh & riseHigh);
    if (nextLow === foundLow && nextHigh === foundHigh) return bitCount(foundLow) + bitCount(foundHigh);
    foundLow = nextLow;
    foundHigh = nextHigh;
  }
}
