import { letPlayerMove } from "./board.ts";
import type { BoardSize, State2048 } from "./board.ts";
import { packing2048 } from "./packing.ts";
import { CHANCE } from "../game.ts";
import type { Symmetry } from "../game.ts";

/**
 * The symmetries of a board of 2048: 8 if it is square, else 4.
 *
 * Bit 2 of the number swaps rows and columns (square boards only), then bit 0 mirrors left and right and bit 1
 * mirrors top and bottom. `action` maps decisions.
 */
export function symmetry2048(size: BoardSize): Symmetry<State2048> {
  const { rows, columns } = size;
  const packing = packing2048(size);
  const packed = new Uint8Array(rows * columns);
  const image = new Uint8Array(rows * columns);
  return {
    count: rows === columns ? 8 : 4,
    transform(state, symmetry, into) {
      const { score, toMove } = state;
      packing.pack(state, packed, 0);
      for (let r = 0; r < rows; r++)
        for (let c = 0; c < columns; c++) {
          let row = symmetry & 4 ? c : r;
          let column = symmetry & 4 ? r : c;
          if (symmetry & 1) column = columns - 1 - column;
          if (symmetry & 2) row = rows - 1 - row;
          image[row * columns + column] = packed[r * columns + c]!;
        }
      packing.unpack(image, 0, into);
      into.score = score;
      if (toMove === CHANCE) into.toMove = CHANCE;
      else letPlayerMove(into, size);
    },
    action(action, symmetry) {
      // Up 0 and left 3 change places when rows and columns do, and so do right 1 and down 2.
      const swapped = symmetry & 4 ? 3 - action : action;
      const mirrored = swapped & 1 ? symmetry & 1 : symmetry & 2;
      return mirrored ? swapped ^ 2 : swapped;
    },
    seat: (seat) => seat,
  };
}
