import type { OptionsConnectFour } from "./options.ts";

/**
 * Sets of cells as bits, in two words of 32 bits. A column has 8 bits, of which the highest is never set: columns 0 to 3 are
 * in the lower word, columns 4 to 7 in the upper one. Bit 8 * column + row is the cell of a row, counted from the bottom.
 * A shift by 8 bits is a step to the side, by 1 a step up, by 9 and 7 a step along a diagonal.
 */
export interface ConnectFourBoard {
  readonly columns: number;
  readonly rows: number;
  readonly cells: number;
  /** All cells. */
  readonly allLow: number;
  readonly allHigh: number;
  /** The cells of the bottom row. */
  readonly bottomLow: number;
  readonly bottomHigh: number;
  /** The cells of the top row. */
  readonly topLow: number;
  readonly topHigh: number;
}

/** Bits of a column. */
export const COLUMN_BITS = 8;
/** Columns in a word. */
export const WORD_COLUMNS = 4;

/** A board of this size. */
export function connectFourBoard({ columns, rows }: OptionsConnectFour): ConnectFourBoard {
  const everyColumn = (ofColumn: number, from: number) => {
    let word = 0;
    for (let column = from; column < Math.min(columns, from + WORD_COLUMNS); column++)
      word |= ofColumn << (COLUMN_BITS * (column - from));
    return word;
  };
  const both = (ofColumn: number): readonly [number, number] => [
    everyColumn(ofColumn, 0),
    everyColumn(ofColumn, WORD_COLUMNS),
  ];
  const [allLow, allHigh] = both((1 << rows) - 1);
  const [bottomLow, bottomHigh] = both(1);
  const [topLow, topHigh] = both(1 << (rows - 1));
  return {
    columns,
    rows,
    cells: columns * rows,
    allLow,
    allHigh,
    bottomLow,
    bottomHigh,
    topLow,
    topHigh,
  };
}

/** Whether a set of cells has four in a row: in a column, a row or a diagonal. */
export function hasFour(low: number, high: number): boolean {
  if ((low & (low >>> 1) & (low >>> 2) & (low >>> 3)) !== 0) return true;
  if ((high & (high >>> 1) & (high >>> 2) & (high >>> 3)) !== 0) return true;
  // Neighbouring pairs in a direction, then pairs of pairs.
  let pairsLow = low & ((low >>> 8) | (high << 24));
  let pairsHigh = high & (high >>> 8);
  if (((pairsLow & ((pairsLow >>> 16) | (pairsHigh << 16))) | (pairsHigh & (pairsHigh >>> 16))) !== 0)
    return true;
  pairsLow = low & ((low >>> 9) | (high << 23));
  pairsHigh = high & (high >>> 9);
  if (((pairsLow & ((pairsLow >>> 18) | (pairsHigh << 14))) | (pairsHigh & (pairsHigh >>> 18))) !== 0)
    return true;
  pairsLow = low & ((low >>> 7) | (high << 25));
  pairsHigh = high & (high >>> 7);
  return ((pairsLow & ((pairsLow >>> 14) | (pairsHigh << 18))) | (pairsHigh & (pairsHigh >>> 14))) !== 0;
}

/**
 * Writes the cells that would complete four in a row with three of these cells, as two words. Cells of the set itself and
 * cells outside the board may be among them.
 */
export function completions(low: number, high: number, out: Int32Array): void {
  let foundLow = (low << 1) & (low << 2) & (low << 3);
  let foundHigh = (high << 1) & (high << 2) & (high << 3);
  for (let step = 7; step <= 9; step++) {
    const back = 32 - step;
    // The neighbours of a cell in the set: one step up and down the direction, then two and three.
    const up1Low = low << step;
    const up1High = (high << step) | (low >>> back);
    const up2Low = up1Low << step;
    const up2High = (up1High << step) | (up1Low >>> back);
    const up3Low = up2Low << step;
    const up3High = (up2High << step) | (up2Low >>> back);
    const down1Low = (low >>> step) | (high << back);
    const down1High = high >>> step;
    const down2Low = (down1Low >>> step) | (down1High << back);
    const down2High = down1High >>> step;
    const down3Low = (down2Low >>> step) | (down2High << back);
    const down3High = down2High >>> step;
    const upsLow = up1Low & up2Low;
    const upsHigh = up1High & up2High;
    const downsLow = down1Low & down2Low;
    const downsHigh = down1High & down2High;
    foundLow |= (upsLow & (up3Low | down1Low)) | (downsLow & (down3Low | up1Low));
    foundHigh |= (upsHigh & (up3High | down1High)) | (downsHigh & (down3High | up1High));
  }
  out[0] = foundLow;
  out[1] = foundHigh;
}

/** A line of four cells, as two words. */
export interface LineOfFour {
  readonly low: number;
  readonly high: number;
}

/** All lines of four cells of a board. */
export function linesOfFour({ columns, rows }: ConnectFourBoard): LineOfFour[] {
  const lines: LineOfFour[] = [];
  const steps = [
    [1, 0],
    [0, 1],
    [1, 1],
    [1, -1],
  ] as const;
  for (let column = 0; column < columns; column++)
    for (let row = 0; row < rows; row++)
      for (const [across, up] of steps) {
        const lastColumn = column + 3 * across;
        const lastRow = row + 3 * up;
        if (lastColumn >= columns || lastRow < 0 || lastRow >= rows) continue;
        let [low, high] = [0, 0];
        for (let i = 0; i < 4; i++) {
          const bit = COLUMN_BITS * (column + i * across) + row + i * up;
          if (bit < 32) low |= 1 << bit;
          else high |= 1 << (bit - 32);
        }
        lines.push({ low, high });
      }
  return lines;
}
