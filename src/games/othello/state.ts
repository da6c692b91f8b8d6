import { OVER } from "../game.ts";
import { type OthelloBoard, turnedDiscs, turningSquares } from "./board.ts";

/** A position of Othello: sets of squares as in `OthelloBoard`. */
export interface OthelloState {
  /** The discs of Black, seat 0. */
  low0: number;
  high0: number;
  /** The discs of White, seat 1. */
  low1: number;
  high1: number;
  /** The squares on which the mover can place a disc; none if it must pass, or the game is over. */
  movesLow: number;
  movesHigh: number;
  /** The seat to move, or OVER. */
  toMove: number;
}

const squares = new Int32Array(2);

/** An empty board, with nobody to move. */
export function newOthelloState(): OthelloState {
  return { low0: 0, high0: 0, low1: 0, high1: 0, movesLow: 0, movesHigh: 0, toMove: OVER };
}

/** Makes a seat the mover and lists its moves; if neither seat has a move, the game is over. */
export function settleOthello(state: OthelloState, board: OthelloBoard, mover: number): void {
  listMoves(state, board, mover);
  state.toMove = mover;
  state.movesLow = squares[0]!;
  state.movesHigh = squares[1]!;
  if ((state.movesLow | state.movesHigh) !== 0) return;
  listMoves(state, board, 1 - mover);
  if ((squares[0]! | squares[1]!) === 0) state.toMove = OVER;
}

function listMoves({ low0, high0, low1, high1 }: OthelloState, board: OthelloBoard, mover: number): void {
  if (mover === 0) turningSquares(low0, high0, low1, high1, board, squares);
  else turningSquares(low1, high1, low0, high0, board, squares);
}

/** The disc on a square, given by its bit: its seat, or -1. */
export function discAt({ low0, high0, low1, high1 }: OthelloState, bit: number): number {
  const mask = 1 << (bit & 31);
  if (((bit < 32 ? low0 : high0) & mask) !== 0) return 0;
  return ((bit < 32 ? low1 : high1) & mask) !== 0 ? 1 : -1;
}

/** Whether the mover can place a disc on a square, given by its bit. */
export function isMove({ movesLow, movesHigh }: OthelloState, bit: number): boolean {
  return ((bit < 32 ? movesLow : movesHigh) & (1 << (bit & 31))) !== 0;
}

/** Places a disc for the mover on a square, given by its bit, and turns discs over; passes for -1. */
export function playOthello(state: OthelloState, board: OthelloBoard, bit: number): void {
  const { low0, high0, low1, high1, toMove } = state;
  if (bit >= 0) {
    if (toMove === 0) turnedDiscs(bit, low0, high0, low1, high1, squares);
    else turnedDiscs(bit, low1, high1, low0, high0, squares);
    const turnedLow = squares[0]!;
    const turnedHigh = squares[1]!;
    const placedLow = bit < 32 ? 1 << bit : 0;
    const placedHigh = bit < 32 ? 0 : 1 << (bit - 32);
    state.low0 ^= turnedLow | (toMove === 0 ? placedLow : 0);
    state.high0 ^= turnedHigh | (toMove === 0 ? placedHigh : 0);
    state.low1 ^= turnedLow | (toMove === 0 ? 0 : placedLow);
    state.high1 ^= turnedHigh | (toMove === 0 ? 0 : placedHigh);
  }
  settleOthello(state, board, 1 - toMove);
}
