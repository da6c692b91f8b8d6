import { drawBit } from "../bits.ts";
import { OVER, type Playouts, type PlaysToEnd } from "../game.ts";
import type { Random } from "../../random.ts";
import type { OthelloBoard } from "./board.ts";
import { squareValues } from "./squares.ts";
import { type OthelloState, playOthello } from "./state.ts";

/** Playouts of Othello. A preferred move has the greatest preference of the game: corners, then edges. */
export function othelloPlayouts(board: OthelloBoard): Playouts<OthelloState> {
  const { actionOf, pass } = board;
  const classes = squareClasses(board);

  /** The bit of a square, or -1 for the pass. */
  const uniformBit = ({ movesLow, movesHigh }: OthelloState, random: Random): number =>
    (movesLow | movesHigh) === 0 ? -1 : drawBit(movesLow, movesHigh, random);

  const preferredBit = ({ movesLow, movesHigh }: OthelloState, random: Random): number => {
    if ((movesLow | movesHigh) === 0) return -1;
    for (let i = 0; i < classes.length; i += 2) {
      const low = movesLow & classes[i]!;
      const high = movesHigh & classes[i + 1]!;
      if ((low | high) !== 0) return drawBit(low, high, random);
    }
    throw new Error("a move is on no square of the board");
  };

  const actionOfBit = (bit: number) => (bit < 0 ? pass : actionOf[bit]!);

  const finishBy =
    (draw: typeof uniformBit): PlaysToEnd<OthelloState> =>
    (state, random, recorder) => {
      while (state.toMove !== OVER) {
        const bit = draw(state, random);
        recorder?.add(state.toMove, actionOfBit(bit));
        playOthello(state, board, bit);
      }
    };

  return {
    uniform: (state, random) => actionOfBit(uniformBit(state, random)),
    preferred: (state, random) => actionOfBit(preferredBit(state, random)),
    finish: finishBy(uniformBit),
    finishPreferred: finishBy(preferredBit),
  };
}

/** The squares of equal value as sets of two words each, the greatest value first. */
function squareClasses(board: OthelloBoard): Int32Array {
  const values = squareValues(board).subarray(0, board.squares);
  const distinct = [...new Set(values)].toSorted((a, b) => b - a);
  const classes = new Int32Array(2 * distinct.length);
  for (const [action, value] of values.entries()) {
    const bit = board.bitOf[action]!;
    classes[2 * distinct.indexOf(value) + (bit >> 5)]! |= 1 << (bit & 31);
  }
  return classes;
}
