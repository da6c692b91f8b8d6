import { bitCount } from "../bits.ts";
import { OVER } from "../game.ts";
import { type ConnectFourBoard, hasFour } from "./board.ts";

/** A position of Connect Four: sets of cells as in `ConnectFourBoard`. */
export interface ConnectFourState {
  /** The stones of seat 0. */
  low0: number;
  high0: number;
  /** The stones of seat 1. */
  low1: number;
  high1: number;
  /** The seat to move, or OVER. */
  toMove: number;
  /** The seat with four in a row, or -1. */
  winner: number;
}

/** The empty board. */
export function newConnectFourState(): ConnectFourState {
  return { low0: 0, high0: 0, low1: 0, high1: 0, toMove: 0, winner: -1 };
}

/** Sets the seat to move and the winner by the stones on the board. */
export function settleConnectFour(state: ConnectFourState, board: ConnectFourBoard): void {
  const { low0, high0, low1, high1 } = state;
  state.winner = hasFour(low0, high0) ? 0 : hasFour(low1, high1) ? 1 : -1;
  const full = (low0 | low1) === board.allLow && (high0 | high1) === board.allHigh;
  state.toMove = state.winner >= 0 || full ? OVER : stoneCount(state) & 1;
}

/** The number of stones on the board. */
export function stoneCount({ low0, high0, low1, high1 }: ConnectFourState): number {
  return bitCount(low0 | low1) + bitCount(high0 | high1);
}

/** The stone on a cell, given by its bit: the seat, or -1. */
export function stoneAt({ low0, high0, low1, high1 }: ConnectFourState, bit: number): number {
  const mask = 1 << (bit & 31);
  if (((bit < 32 ? low0 : high0) & mask) !== 0) return 0;
  return ((bit < 32 ? low1 : high1) & mask) !== 0 ? 1 : -1;
}

/** Writes the cells onto which a stone can fall, as two words; a full column has none. */
export function landingCells(
  { low0, high0, low1, high1 }: ConnectFourState,
  board: ConnectFourBoard,
  out: Int32Array,
): void {
  // The sum carries through the stones of a column to the first cell above them.
  out[0] = ((low0 | low1) + board.bottomLow) & ~(low0 | low1) & board.allLow;
  out[1] = ((high0 | high1) + board.bottomHigh) & ~(high0 | high1) & board.allHigh;
}
