import { BORDER, type BlokusBoard } from "./board.ts";

/**
 * A position of Blokus, with the moves that led to it.
 *
 * The cells lie in bit rows: row y of seat s is the word (y + BORDER) * players + s, column x its bit x + BORDER.
 */
export interface BlokusState {
  /** By row and seat: the cells that the seat may not cover: taken, beside a square of its own, or outside the board. */
  readonly forbidden: Int32Array;
  /** By row and seat: the cells at a corner of a square of its own (at first its start cell); forbidden ones too. */
  readonly corners: Int32Array;
  /** By seat: its pieces in hand, one bit a piece. */
  readonly left: Int32Array;
  /** By seat: the squares that it has laid. */
  readonly placed: Int32Array;
  /** The placements so far, action << 2 | seat; the first `plies` count, the others are 0. */
  readonly moves: Int32Array;
  plies: number;
  /** The seat to move, or OVER. */
  toMove: number;
  /** The seats that have been found without a move when they were next, one bit a seat. */
  out: number;
  /** The seat that opens the game: 0, except in images under symmetries. */
  opener: number;
  /** The turn order: 1 if seats move in their order, players - 1 if in the reverse order (in mirror images). */
  step: number;
}

/** A state without any placement, of a game that `opener` opens. */
export function newBlokusState(board: BlokusBoard, opener = 0, step = 1): BlokusState {
  const { pieces, players, rows } = board;
  const state: BlokusState = {
    forbidden: new Int32Array(rows * players),
    corners: new Int32Array(rows * players),
    left: new Int32Array(players),
    placed: new Int32Array(players),
    moves: new Int32Array(players * pieces),
    plies: 0,
    toMove: opener,
    out: 0,
    opener,
    step,
  };
  resetBlokusState(state, board, opener, step);
  return state;
}

/** Removes all placements from a state of this board. */
export function resetBlokusState(state: BlokusState, board: BlokusBoard, opener: number, step: number): void {
  const { hand, players, size } = board;
  state.forbidden.fill(-1);
  state.forbidden.fill(board.outside, BORDER * players, (BORDER + size) * players);
  state.corners.fill(0);
  for (const [seat, [x, y]] of board.starts.entries())
    state.corners[(y + BORDER) * players + seat] = 1 << (x + BORDER);
  state.left.fill(hand);
  state.placed.fill(0);
  state.moves.fill(0);
  state.plies = 0;
  state.toMove = opener;
  state.out = 0;
  state.opener = opener;
  state.step = step;
}

/** Copies `from` over `into`. */
export function copyBlokusState(from: BlokusState, into: BlokusState): void {
  into.forbidden.set(from.forbidden);
  into.corners.set(from.corners);
  into.moves.set(from.moves);
  for (let seat = 0; seat < from.left.length; seat++) {
    into.left[seat] = from.left[seat]!;
    into.placed[seat] = from.placed[seat]!;
  }
  into.plies = from.plies;
  into.toMove = from.toMove;
  into.out = from.out;
  into.opener = from.opener;
  into.step = from.step;
}

/** The action of a ply that has been played. */
export function actionOfPly(state: BlokusState, ply: number): number {
  return state.moves[ply]! >> 2;
}

/** The seat that played a ply. */
export function seatOfPly(state: BlokusState, ply: number): number {
  return state.moves[ply]! & 3;
}
