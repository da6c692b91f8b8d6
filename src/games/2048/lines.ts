/**
 * One row or column of 2048 as an integer, and what a move does to it.
 *
 * A line's code is bit-sliced: bit p of the exponent in cell j is bit 4p + j of the code (exponent k stands for
 * tile 2^k, 0 for an empty cell). Lines of small tiles, which are most lines, thus have small codes, so that the
 * tables below are touched in few cache lines; and four rows turn into four columns by masks and shifts alone.
 * Lines shorter than four cells leave the code's further cells empty.
 */

/** Greatest exponent that a line's code can hold: tile 2^18, one more than can occur on the 4x4 board. */
export const GREATEST_EXPONENT = 18;

/** The bits of cell 0 in a line's code; cell j's are these shifted by j. */
export const CELL = 0x11111;

const CODES = 1 << 20;

/**
 * Added to a line's code, makes an index into `SLID` for a move towards the last cell; without it the index is
 * for a move towards cell 0.
 */
export const TOWARDS_END: number = 4 * CODES;

// The tables are module constants because compiled code then has their addresses built in (measured: a quarter
// faster than tables held by an object). Untouched parts cost address space only.

/** The line after a move; at the index of `lineTables` + code, and + TOWARDS_END for the other direction. */
export const SLID: Int32Array = new Int32Array(8 * CODES);
/** The reward of a move in either direction, the sum of the tiles made; at the index of `lineTables` + code. */
export const REWARD: Int32Array = new Int32Array(4 * CODES);
/** Bit 0: a move towards cell 0 changes the line; bit 1: a move towards its last cell does. Index as `REWARD`. */
export const MOVABLE: Uint8Array = new Uint8Array(4 * CODES);
/** Bit j: cell j holds a tile. Index: the code alone. */
export const OCCUPIED: Uint8Array = new Uint8Array(CODES);

/** The bits that `exponent` sets in a line's code when it is in cell 0; shift left by j for cell j. */
export function spread(exponent: number): number {
  return (
    (exponent & 1) |
    ((exponent & 2) << 3) |
    ((exponent & 4) << 6) |
    ((exponent & 8) << 9) |
    ((exponent & 16) << 12)
  );
}

/** The exponent in cell `cell` of a line. */
export function exponentIn(line: number, cell: number): number {
  const bits = (line >> cell) & CELL;
  return (bits & 1) | ((bits >> 3) & 2) | ((bits >> 6) & 4) | ((bits >> 9) & 8) | ((bits >> 12) & 16);
}

const filled: boolean[] = [];

/**
 * Where the tables have their entries for lines of `length` cells, 1 to 4. They are filled once a thread, at the
 * first call for a length.
 */
export function lineTables(length: number): number {
  const start = (length - 1) * CODES;
  if (filled[length] !== true) fill(length, start);
  filled[length] = true;
  return start;
}

function fill(length: number, start: number): void {
  const cells = new Uint8Array(length);
  const made = new Uint8Array(length);
  const lines = (GREATEST_EXPONENT + 1) ** length;
  for (let line = 0; line < lines; line++) {
    const code = encode(cells);
    const reward = slide(cells, made);
    const slid = encode(made);
    SLID[start + code] = slid;
    REWARD[start + code] = reward;
    if (slid !== code) MOVABLE[start + code]! |= 1;
    const mirrored = encode(cells.reverse());
    const slidMirrored = encode(made.reverse());
    SLID[TOWARDS_END + start + mirrored] = slidMirrored;
    if (slidMirrored !== mirrored) MOVABLE[start + mirrored]! |= 2;
    cells.reverse();
    OCCUPIED[code] = occupied(cells);
    for (let j = 0; j < length && ++cells[j]! > GREATEST_EXPONENT; j++) cells[j] = 0;
  }
}

/** Moves `cells` towards cell 0 into `made`; returns the sum of the tiles made. */
function slide(cells: Uint8Array, made: Uint8Array): number {
  made.fill(0);
  let count = 0;
  let reward = 0;
  let mergeable = 0;
  for (let j = 0; j < cells.length; j++) {
    const exponent = cells[j]!;
    if (exponent === 0) continue;
    // Two of the greatest stay apart: their sum has no code, and cannot occur in a game.
    if (exponent === mergeable && exponent < GREATEST_EXPONENT) {
      made[count - 1] = exponent + 1;
      reward += 2 << exponent;
      mergeable = 0;
    } else {
      made[count++] = exponent;
      mergeable = exponent;
    }
  }
  return reward;
}

function encode(cells: Uint8Array): number {
  let code = 0;
  for (let j = 0; j < cells.length; j++) code |= spread(cells[j]!) << j;
  return code;
}

function occupied(cells: Uint8Array): number {
  let bits = 0;
  for (let j = 0; j < cells.length; j++) if (cells[j] !== 0) bits |= 1 << j;
  return bits;
}
