import { type BlokusBoard, pieceOfOrientation, sizeOfPiece } from "./board.ts";
import { blokusOrientations } from "./pieces.ts";
import { actionOfPly, type BlokusState, seatOfPly } from "./state.ts";
import type { ActionPlanes, Ownership } from "../game.ts";

/** The most squares of a piece, and the number of entries of an orientation in `offsets`. */
export const MOST_SQUARES = 5;

/** The squares of placements as cells of the board, numbered row by row from the top left. */
export class BlokusCells {
  readonly board: BlokusBoard;
  /** Number of cells. */
  readonly count: number;
  /**
   * By orientation, `MOST_SQUARES` each: how far its squares lie behind the top left cell of its bounding box, row by
   * row.
   */
  readonly offsets: Int32Array;
  /** By orientation: its squares. */
  readonly squares: Int32Array;

  constructor(board: BlokusBoard) {
    const { size } = board;
    this.board = board;
    this.count = size * size;
    this.offsets = new Int32Array(MOST_SQUARES * blokusOrientations.length);
    this.squares = Int32Array.from(pieceOfOrientation, (piece) => sizeOfPiece[piece]!);
    for (const [orientation, { cells }] of blokusOrientations.entries())
      for (const [square, [x, y]] of cells.entries())
        this.offsets[MOST_SQUARES * orientation + square] = y * size + x;
  }

  /** The top left cell of the bounding box of a placement. */
  corner(placement: number): number {
    return ((placement >> 8) & 255) * this.board.size + (placement & 255);
  }
}

/** The seat whose piece covers a cell, or -1. */
export function blokusOwnership(cells: BlokusCells): Ownership<BlokusState> {
  const { board, offsets, squares } = cells;
  return (state, out) => {
    out.fill(-1);
    for (let ply = 0; ply < state.plies; ply++) {
      const placement = board.placements[actionOfPly(state, ply)]!;
      const orientation = placement >> 16;
      const corner = cells.corner(placement);
      const seat = seatOfPly(state, ply);
      const first = MOST_SQUARES * orientation;
      for (let square = first; square < first + squares[orientation]!; square++)
        out[corner + offsets[square]!] = seat;
    }
  };
}

/**
 * A plane for each orientation of a piece in hand, 91 with all pieces. The cell of a placement is the square nearest to the middle of the piece, the
 * first of equals: always a cell that the piece covers.
 */
export function blokusActionPlanes(cells: BlokusCells): ActionPlanes {
  const { board, count } = cells;
  const { firstOrientation } = board;
  const anchors = Int32Array.from(blokusOrientations, ({ cells: squares }) => {
    const n = squares.length;
    const sumX = squares.reduce((sum, [x]) => sum + x, 0);
    const sumY = squares.reduce((sum, [, y]) => sum + y, 0);
    // Squared distances from the mean, times the squared number of squares: whole numbers, so ties are exact.
    const distances = squares.map(([x, y]) => (n * x - sumX) ** 2 + (n * y - sumY) ** 2);
    const [x, y] = squares[distances.indexOf(Math.min(...distances))]!;
    return y * board.size + x;
  });
  return {
    planes: blokusOrientations.length - firstOrientation,
    index: (action) => {
      const placement = board.placements[action]!;
      const orientation = placement >> 16;
      return (orientation - firstOrientation) * count + cells.corner(placement) + anchors[orientation]!;
    },
  };
}
