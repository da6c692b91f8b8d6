import { blokusOrientations, blokusPieces, shapeKey } from "./pieces.ts";

/** Free rows and columns around the board in the bit rows: a window of radius 4 around any cell fits. */
export const BORDER = 4;

/** Rows of a table for one orientation: its height of at most 5, and a row of neighbours above and below. */
export const SHAPE_ROWS = 7;

/** A variant of the game: its size, its start cells and its numbering of placements. */
export interface BlokusBoard {
  /** Rows and columns. */
  readonly size: number;
  readonly players: number;
  /** The pieces that every seat has, one bit a piece. */
  readonly hand: number;
  /** Number of pieces of a seat, and of their squares. */
  readonly pieces: number;
  readonly squares: number;
  /** The most squares of a piece. */
  readonly largest: number;
  /** The first orientation of a piece in hand: larger pieces come first. */
  readonly firstOrientation: number;
  /** By seat: the cell that its first piece must cover. */
  readonly starts: readonly (readonly [x: number, y: number])[];
  /** Number of placements. */
  readonly actions: number;
  /** By orientation: the number of its placement at [0,0]; the one at [x,y] is `first + y * across + x`. */
  readonly first: Int32Array;
  /** By orientation: in how many columns it fits. */
  readonly across: Int32Array;
  /** By action: orientation << 16 | y << 8 | x, the place of its bounding box's top left square. */
  readonly placements: Int32Array;
  /** Bit rows of a seat: the board's and `BORDER` above and below. */
  readonly rows: number;
  /** A bit row of the cells outside the board. */
  readonly outside: number;
}

/** By orientation: its piece. */
export const pieceOfOrientation = Int32Array.from(blokusOrientations, ({ piece }) => piece);
/** By orientation: the rows of its bounding box. */
export const heightOfOrientation = Int32Array.from(blokusOrientations, ({ height }) => height);
/** By piece: its squares. */
export const sizeOfPiece = Int32Array.from(blokusPieces, ({ size }) => size);

/**
 * The squares of each orientation, as `SHAPE_ROWS` bit rows. The first row lies above the bounding box, and bit 0 is the
 * column to the left of it. `besideRows` has the cells that share an edge with a square, `cornerRows` the other cells
 * that touch a corner.
 */
export const shapeRows = new Int32Array(blokusOrientations.length * SHAPE_ROWS);
/** See `shapeRows`. */
export const besideRows = new Int32Array(blokusOrientations.length * SHAPE_ROWS);
/** See `shapeRows`. */
export const cornerRows = new Int32Array(blokusOrientations.length * SHAPE_ROWS);

/** By orientation: its squares as five rows of 5 bits. The top row has the lowest bits, and bit 0 is the left column. */
export const shapeBits = Int32Array.from(blokusOrientations, ({ cells }) => shapeKey(cells));

for (const [orientation, { cells }] of blokusOrientations.entries()) {
  const at = orientation * SHAPE_ROWS;
  for (const [x, y] of cells) shapeRows[at + y + 1]! |= 2 << x;
  for (let row = 0; row < SHAPE_ROWS; row++) {
    const here = shapeRows[at + row]!;
    const nearby =
      (row > 0 ? shapeRows[at + row - 1]! : 0) | (row + 1 < SHAPE_ROWS ? shapeRows[at + row + 1]! : 0);
    besideRows[at + row] = ((here << 1) | (here >> 1) | nearby) & ~here;
    cornerRows[at + row] = ((nearby << 1) | (nearby >> 1)) & ~here & ~besideRows[at + row]!;
  }
}

/**
 * Makes a board of 5x5 to 20x20 cells, for pieces of up to `largest` squares. Placements are numbered by orientation (in the
 * order of `blokusOrientations`, so larger pieces first), then by row and column of the bounding box's top left square.
 */
export function blokusBoard(
  size: number,
  starts: readonly (readonly [x: number, y: number])[],
  largest = 5,
): BlokusBoard {
  const first = new Int32Array(blokusOrientations.length);
  const across = new Int32Array(blokusOrientations.length);
  const placements: number[] = [];
  const firstOrientation = blokusOrientations.findIndex((orientation) => orientation.size <= largest);
  for (const [orientation, { width, height }] of blokusOrientations.entries()) {
    first[orientation] = placements.length;
    across[orientation] = size - width + 1;
    if (orientation < firstOrientation) continue;
    for (let y = 0; y + height <= size; y++)
      for (let x = 0; x + width <= size; x++) placements.push((orientation << 16) | (y << 8) | x);
  }
  const pieces = blokusPieces.filter((piece) => piece.size <= largest);
  const inside = (2 ** size - 1) * 2 ** BORDER;
  return {
    size,
    players: starts.length,
    hand: (2 ** pieces.length - 1) << (blokusPieces.length - pieces.length),
    pieces: pieces.length,
    squares: pieces.reduce((sum, piece) => sum + piece.size, 0),
    largest,
    firstOrientation,
    starts,
    actions: placements.length,
    first,
    across,
    placements: Int32Array.from(placements),
    rows: size + 2 * BORDER,
    outside: ~inside,
  };
}

/** The number of an orientation laid with its bounding box's top left square at [x,y]. */
export function actionAt(board: BlokusBoard, orientation: number, x: number, y: number): number {
  return board.first[orientation]! + y * board.across[orientation]! + x;
}

/** The squares of an action, row by row from the top left. */
export function cellsOfAction(board: BlokusBoard, action: number): (readonly [x: number, y: number])[] {
  const placement = board.placements[action]!;
  const [left, top] = [placement & 255, (placement >> 8) & 255];
  return blokusOrientations[placement >> 16]!.cells.map(([x, y]) => [left + x, top + y] as const);
}

/** The piece that an action lays, by its place in `blokusPieces`. */
export function pieceOfAction(board: BlokusBoard, action: number): number {
  return pieceOfOrientation[board.placements[action]! >> 16]!;
}
