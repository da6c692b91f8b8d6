import { bitCount } from "../bits.ts";
import { type Features, OVER, type StaticEvaluations } from "../game.ts";
import { type OthelloBoard, turningSquares } from "./board.ts";
import { squareValues } from "./squares.ts";
import { discAt, type OthelloState } from "./state.ts";

/** What a move more than the other seat has counts beside the values of squares. */
const MOVE = 2;
/** What a disc counts at the end of the game. */
const FINAL_DISC = 100;

const squares = new Int32Array(2);
const discs = new Float64Array(2);
const places = new Float64Array(2);

/** The number of discs of a seat. */
export function discCount({ low0, high0, low1, high1 }: OthelloState, seat: number): number {
  return seat === 0 ? bitCount(low0) + bitCount(high0) : bitCount(low1) + bitCount(high1);
}

/**
 * Static evaluations: `discs`, the number of discs; `mobility`, the values of the squares that a seat has, and 2 for each
 * move that it would have; when the game is over, 100 for each disc.
 */
export function othelloEvaluations(board: OthelloBoard): StaticEvaluations<OthelloState> {
  const values = squareValues(board);
  return {
    discs: writeDiscs,
    mobility(state, out) {
      writeDiscs(state, out);
      if (state.toMove === OVER) {
        out[0]! *= FINAL_DISC;
        out[1]! *= FINAL_DISC;
        return;
      }
      writePlaces(state, board, values, out);
      out[0]! += MOVE * moveCount(state, board, 0);
      out[1]! += MOVE * moveCount(state, board, 1);
    },
  };
}

/** The input of a linear value function: discs, moves and squares, from the side of a seat. */
export function othelloFeatures(board: OthelloBoard): Features<OthelloState> {
  const values = squareValues(board);
  const squaresOnBoard = board.squares;
  return {
    names: [
      "one",
      "to move",
      "filled",
      "own discs",
      "their discs",
      "own moves",
      "their moves",
      "own squares",
      "their squares",
    ],
    write(state, seat, out) {
      writeDiscs(state, discs);
      writePlaces(state, board, values, places);
      out[0] = 1;
      out[1] = state.toMove === seat ? 1 : 0;
      out[2] = (discs[0]! + discs[1]!) / squaresOnBoard;
      for (const [of, side] of [seat, 1 - seat].entries()) {
        out[3 + of] = discs[side]! / squaresOnBoard;
        out[5 + of] = moveCount(state, board, side) / 20;
        out[7 + of] = places[side]! / 80;
      }
    },
  };
}

function writeDiscs(state: OthelloState, out: Float64Array): void {
  out[0] = discCount(state, 0);
  out[1] = discCount(state, 1);
}

/** The sum of the values of the squares of each seat. */
function writePlaces(
  state: OthelloState,
  board: OthelloBoard,
  values: Float64Array,
  out: Float64Array,
): void {
  out[0] = 0;
  out[1] = 0;
  for (let action = 0; action < board.squares; action++) {
    const seat = discAt(state, board.bitOf[action]!);
    if (seat >= 0) out[seat]! += values[action]!;
  }
}

/** The squares on which a seat could place a disc, were it to move. */
function moveCount({ low0, high0, low1, high1 }: OthelloState, board: OthelloBoard, seat: number): number {
  if (seat === 0) turningSquares(low0, high0, low1, high1, board, squares);
  else turningSquares(low1, high1, low0, high0, board, squares);
  return bitCount(squares[0]!) + bitCount(squares[1]!);
}
