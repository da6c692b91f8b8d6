import { letPlayerMove, setBoard } from "./board.ts";
import type { BoardSize, State2048 } from "./board.ts";
import { packing2048 } from "./packing.ts";
import type { Downgrade } from "../game.ts";

/**
 * Tile-downgrading (Guei, Chen and Wu 2021, "Optimistic Temporal Difference Learning for 2048"): on a board with the given
 * tile or a greater one, the greatest tile that is missing below the greatest one becomes free for those above it, which
 * are all halved; again until the greatest is less than the given one, or no tile is missing.
 *
 * Equal tiles stay equal and different tiles stay different, so the same slides are legal and merge the same tiles. The
 * board then has tiles that a value function has seen more often. The score stays.
 */
export function downgrade2048(size: BoardSize): Downgrade<State2048> {
  const packing = packing2048(size);
  const exponents = new Uint8Array(size.rows * size.columns);
  return (state, tile, into) => {
    packing.pack(state, exponents, 0);
    const below = Math.log2(tile);
    let greatest = Math.max(...exponents);
    for (; greatest >= below; greatest--) {
      let missing = greatest - 1;
      while (missing > 0 && exponents.includes(missing)) missing--;
      if (missing === 0) break;
      for (let cell = 0; cell < exponents.length; cell++) if (exponents[cell]! > missing) exponents[cell]!--;
    }
    setBoard(into, exponents, 0, size);
    into.score = state.score;
    letPlayerMove(into, size);
  };
}
