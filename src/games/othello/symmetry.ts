import type { Symmetry } from "../game.ts";
import { imageOfSquare } from "../square-symmetry.ts";
import type { OthelloBoard } from "./board.ts";
import type { OthelloState } from "./state.ts";

/** The 8 symmetries of the square; seats keep their colours. */
export function othelloSymmetry({ bitOf, pass, size, squares }: OthelloBoard): Symmetry<OthelloState> {
  const images = Array.from({ length: 8 }, (_, symmetry) =>
    Uint8Array.from({ length: squares + 1 }, (_each, action) =>
      action === pass ? pass : imageOfSquare(action, symmetry, size),
    ),
  );
  return {
    count: 8,
    transform({ low0, high0, low1, high1, movesLow, movesHigh, toMove }, symmetry, into) {
      const image = images[symmetry]!;
      into.toMove = toMove;
      into.low0 = into.high0 = into.low1 = into.high1 = into.movesLow = into.movesHigh = 0;
      for (let action = 0; action < squares; action++) {
        const from = bitOf[action]!;
        const to = bitOf[image[action]!]!;
        const mask = 1 << (to & 31);
        const isLow = from < 32;
        const shift = from & 31;
        if ((((isLow ? low0 : high0) >>> shift) & 1) !== 0) {
          if (to < 32) into.low0 |= mask;
          else into.high0 |= mask;
        } else if ((((isLow ? low1 : high1) >>> shift) & 1) !== 0) {
          if (to < 32) into.low1 |= mask;
          else into.high1 |= mask;
        } else if ((((isLow ? movesLow : movesHigh) >>> shift) & 1) !== 0) {
          if (to < 32) into.movesLow |= mask;
          else into.movesHigh |= mask;
        }
      }
    },
    action: (action, symmetry) => images[symmetry]![action]!,
    seat: (seat) => seat,
  };
}
