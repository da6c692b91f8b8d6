import { CHANCE } from "../game.ts";
import type { Packing } from "../game.ts";
import { exponentAt, letPlayerMove, setBoard } from "./board.ts";
import type { BoardSize, State2048 } from "./board.ts";

/**
 * A board of 2048 in one byte a cell, its exponents. The score and the mover are not packed: the state comes back with
 * score 0, and as an afterstate if a cell is empty.
 */
export function packing2048(size: BoardSize): Packing<State2048> {
  const cells = size.placeOf.length;
  return {
    bytes: cells,
    pack: (state, out, offset) => {
      for (let cell = 0; cell < cells; cell++) out[offset + cell] = exponentAt(state, cell, size);
    },
    unpack: (from, offset, into) => {
      setBoard(into, from, offset, size);
      into.score = 0;
      into.slides = 0;
      into.toMove = CHANCE;
      if (into.empty === 0) letPlayerMove(into, size);
    },
  };
}
