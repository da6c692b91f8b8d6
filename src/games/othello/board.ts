import type { OptionsOthello } from "./options.ts";

/**
 * Sets of squares as bits, in two words of 32 bits. A row has 8 bits, rows from the top: rows 0 to 3 are in the lower word,
 * rows 4 to 7 in the upper one. Bit 8 * row + column is a square. Smaller boards are the upper left part.
 */
export interface OthelloBoard {
  readonly size: number;
  readonly squares: number;
  /** The pass: the action after the last square. */
  readonly pass: number;
  /** By action: the bit of the square. */
  readonly bitOf: Uint8Array;
  /** By bit: the action, or -1 outside the board. */
  readonly actionOf: Int8Array;
  /** All squares. */
  readonly allLow: number;
  readonly allHigh: number;
}

/** Squares that are in neither the first nor the last column of 8: a line of discs across the board goes through them. */
const INNER = 0x7e7e7e7e;

/** A board of this size. */
export function othelloBoard({ size }: OptionsOthello): OthelloBoard {
  const squares = size * size;
  const bitOf = Uint8Array.from(
    { length: squares },
    (_, action) => 8 * Math.floor(action / size) + (action % size),
  );
  const actionOf = new Int8Array(64).fill(-1);
  let [allLow, allHigh] = [0, 0];
  for (const [action, bit] of bitOf.entries()) {
    actionOf[bit] = action;
    if (bit < 32) allLow |= 1 << bit;
    else allHigh |= 1 << (bit - 32);
  }
  return { size, squares, pass: squares, bitOf, actionOf, allLow, allHigh };
}

/**
 * Writes the squares on which a disc would turn over others, as two words: those beyond a line of the opponent's discs
 * that begins beside an own disc. In each direction the line is filled step by step, at most 6 discs long.
 */
export function turningSquares(
  ownLow: number,
  ownHigh: number,
  otherLow: number,
  otherHigh: number,
  { allLow, allHigh }: OthelloBoard,
  out: Int32Array,
): void {
  const innerLow = otherLow & INNER;
  const innerHigh = otherHigh & INNER;
  let foundLow = 0;
  let foundHigh = 0;

  // Along rows: no line leaves its word.
  let low = innerLow & (ownLow << 1);
  let high = innerHigh & (ownHigh << 1);
  for (let i = 0; i < 5; i++) {
    low |= innerLow & (low << 1);
    high |= innerHigh & (high << 1);
  }
  foundLow |= low << 1;
  foundHigh |= high << 1;
  low = innerLow & (ownLow >>> 1);
  high = innerHigh & (ownHigh >>> 1);
  for (let i = 0; i < 5; i++) {
    low |= innerLow & (low >>> 1);
    high |= innerHigh & (high >>> 1);
  }
  foundLow |= low >>> 1;
  foundHigh |= high >>> 1;

  for (let step = 7; step <= 9; step++) {
    const back = 32 - step;
    // Along columns (step 8) lines also go through the first and the last one.
    const throughLow = step === 8 ? otherLow : innerLow;
    const throughHigh = step === 8 ? otherHigh : innerHigh;
    low = throughLow & (ownLow << step);
    high = throughHigh & ((ownHigh << step) | (ownLow >>> back));
    for (let i = 0; i < 5; i++) {
      high |= throughHigh & ((high << step) | (low >>> back));
      low |= throughLow & (low << step);
    }
    foundHigh |= (high << step) | (low >>> back);
    foundLow |= low << step;
    low = throughLow & ((ownLow >>> step) | (ownHigh << back));
    high = throughHigh & (ownHigh >>> step);
    for (let i = 0; i < 5; i++) {
      low |= throughLow & ((low >>> step) | (high << back));
      high |= throughHigh & (high >>> step);
    }
    foundLow |= (low >>> step) | (high << back);
    foundHigh |= high >>> step;
  }
  out[0] = foundLow & ~(ownLow | otherLow) & allLow;
  out[1] = foundHigh & ~(ownHigh | otherHigh) & allHigh;
}

/** By direction: the steps in rows and columns. */
const DIRECTIONS = [
  [-1, -1],
  [-1, 0],
  [-1, 1],
  [0, -1],
  [0, 1],
  [1, -1],
  [1, 0],
  [1, 1],
] as const;

/**
 * By bit: the bits of the squares in each direction in order, -1 after the last one of a direction; for boards of 8x8. On
 * smaller boards the squares outside are always empty.
 */
const rays: readonly Int8Array[] = Array.from({ length: 64 }, (_, bit) => {
  const squares: number[] = [];
  for (const [down, across] of DIRECTIONS) {
    let [row, column] = [(bit >> 3) + down, (bit & 7) + across];
    for (; row >= 0 && row < 8 && column >= 0 && column < 8; row += down, column += across)
      squares.push(8 * row + column);
    squares.push(-1);
  }
  return Int8Array.from(squares);
});

/** Writes the discs of the opponent that a disc on this square turns over, as two words. */
export function turnedDiscs(
  bit: number,
  ownLow: number,
  ownHigh: number,
  otherLow: number,
  otherHigh: number,
  out: Int32Array,
): void {
  const ray = rays[bit]!;
  let turnedLow = 0;
  let turnedHigh = 0;
  let lineLow = 0;
  let lineHigh = 0;
  for (let i = 0; i < ray.length; i++) {
    const square = ray[i]!;
    if (square < 32 && square >= 0) {
      const mask = 1 << square;
      if ((otherLow & mask) !== 0) {
        lineLow |= mask;
        continue;
      }
      if ((ownLow & mask) !== 0) {
        turnedLow |= lineLow;
        turnedHigh |= lineHigh;
      }
    } else if (square >= 0) {
      const mask = 1 << (square - 32);
      if ((otherHigh & mask) !== 0) {
        lineHigh |= mask;
        continue;
      }
      if ((ownHigh & mask) !== 0) {
        turnedLow |= lineLow;
        turnedHigh |= lineHigh;
      }
    }
    // The line of this direction ends here: on to the next one.
    while (ray[i] !== -1) i++;
    lineLow = 0;
    lineHigh = 0;
  }
  out[0] = turnedLow;
  out[1] = turnedHigh;
}
