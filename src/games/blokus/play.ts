import {
  besideRows,
  BORDER,
  type BlokusBoard,
  cornerRows,
  heightOfOrientation,
  pieceOfOrientation,
  SHAPE_ROWS,
  shapeRows,
  sizeOfPiece,
} from "./board.ts";
import { hasMove } from "./legal.ts";
import type { BlokusState } from "./state.ts";
import { OVER } from "../game.ts";

/** Lays a piece for the seat to move and finds the next seat to move; seats without a move are passed over for good. */
export function playBlokus(state: BlokusState, board: BlokusBoard, action: number): void {
  const { players } = board;
  const { forbidden, corners } = state;
  const seat = state.toMove;
  const placement = board.placements[action]!;
  const orientation = placement >> 16;
  const shift = (placement & 255) + BORDER - 1;
  const shape = orientation * SHAPE_ROWS;
  const height = heightOfOrientation[orientation]!;
  // The row above the bounding box.
  let at = (((placement >> 8) & 255) + BORDER - 1) * players;
  for (let row = 0; row < height + 2; row++, at += players) {
    const squares = shapeRows[shape + row]! << shift;
    if (squares !== 0)
      for (let each = 0; each < players; each++) forbidden[at + each] = forbidden[at + each]! | squares;
    forbidden[at + seat] = forbidden[at + seat]! | (besideRows[shape + row]! << shift);
    corners[at + seat] = corners[at + seat]! | (cornerRows[shape + row]! << shift);
  }
  const piece = pieceOfOrientation[orientation]!;
  state.left[seat] = state.left[seat]! & ~(1 << piece);
  state.placed[seat] = state.placed[seat]! + sizeOfPiece[piece]!;
  state.moves[state.plies++] = (action << 2) | seat;
  state.toMove = nextMover(state, board, seat);
}

/** Lays a piece for any seat, to move or not. The caller sets `toMove` and `out` when all pieces lie. */
export function layPiece(state: BlokusState, board: BlokusBoard, seat: number, action: number): void {
  state.toMove = seat;
  playBlokus(state, board, action);
}

/** The next seat in turn order that has a move, or OVER; records the seats that have none. */
function nextMover(state: BlokusState, board: BlokusBoard, mover: number): number {
  const { players } = board;
  let seat = mover;
  for (let i = 0; i < players; i++) {
    seat += state.step;
    if (seat >= players) seat -= players;
    if ((state.out >> seat) & 1) continue;
    if (hasMove(state, board, seat)) return seat;
    state.out |= 1 << seat;
  }
  return OVER;
}
