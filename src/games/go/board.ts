import { Random } from "../../random.ts";

/** Nothing on a point. */
export const EMPTY = 0;
/** A stone of seat 0. The colour of a seat's stones is the seat + 1, the other colour is 3 - colour. */
export const BLACK = 1;
/** A stone of seat 1. */
export const WHITE = 2;
/** The colour of cells outside the board. */
export const EDGE = 3;

/** In place of a cell in lists of moves: a pass. Cell 0 lies outside every board. */
export const PASS_CELL = 0;

/** Cells of the greatest board: the size of scratch arrays that serve all boards. */
export const MOST_CELLS = cellsOfSize(19);

/**
 * A board of one size.
 *
 * Points are numbered row by row from the top left; they are the actions, and the number after the last point is the
 * pass. The arrays of a position are indexed by cells: points in rows of `stride` cells, one row outside the board above
 * and one below, and one cell outside the board between two rows. So the four neighbours of a point are always cells.
 */
export interface GoBoard {
  /** Rows and columns. */
  readonly size: number;
  /** size * size. */
  readonly points: number;
  /** The action that is a pass: size * size. */
  readonly pass: number;
  /** Length of the arrays of a position. */
  readonly cells: number;
  /** From a cell to the one below it: size + 1. Neighbours are at +-1 and +-stride. */
  readonly stride: number;
  /** By point: its cell. The pass has PASS_CELL. */
  readonly cellOf: Int16Array;
  /** By cell: its point, or -1 outside the board. */
  readonly pointOf: Int16Array;
  /**
   * Random words (Zobrist 1970) for a stone: those of cell c and colour k are at 4 c + 2 k - 2 and the next place.
   */
  readonly zobrist: Int32Array;
}

function cellsOfSize(size: number): number {
  return (size + 1) * (size + 2) + 1;
}

/** The cell beside a cell, on side 0 to 3: above, left, right, below. */
export function neighbour(cell: number, side: number, stride: number): number {
  return cell + (side === 0 ? -stride : side === 1 ? -1 : side === 2 ? 1 : stride);
}

const boards = new Map<number, GoBoard>();

/** The board of a size, 2 to 19. It is made at the first call. */
export function goBoard(size: number): GoBoard {
  let board = boards.get(size);
  if (board === undefined) {
    board = makeBoard(size);
    boards.set(size, board);
  }
  return board;
}

function makeBoard(size: number): GoBoard {
  const points = size * size;
  const cells = cellsOfSize(size);
  const stride = size + 1;
  const cellOf = new Int16Array(points + 1);
  const pointOf = new Int16Array(cells).fill(-1);
  for (let point = 0; point < points; point++) {
    const cell = (Math.floor(point / size) + 1) * stride + (point % size) + 1;
    cellOf[point] = cell;
    pointOf[cell] = point;
  }
  cellOf[points] = PASS_CELL;
  const random = Random.named("go", "zobrist", size);
  const zobrist = Int32Array.from({ length: 4 * cells }, () => random.uint32());
  return { size, points, pass: points, cells, stride, cellOf, pointOf, zobrist };
}
