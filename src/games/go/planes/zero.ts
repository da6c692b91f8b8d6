import type { Planes } from "../../game.ts";
import { EMPTY, type GoBoard, MOST_CELLS } from "../board.ts";
import type { GoRules } from "../options.ts";
import { type GoState, moverOfPly, takeBackPly } from "../state.ts";

/** Number of positions shown: the present one and those before it. */
const POSITIONS = 8;
const CHANNELS = 2 * POSITIONS + 1;

/**
 * The input of AlphaGo Zero: 17 channels (Silver et al. 2017, Nature 550, "Neural network architecture").
 *
 * Channel 2 k: the stones, k plies ago, of the seat to move now; 2 k + 1: those of the other seat, k = 0, ..., 7. Empty
 * if the game is not so long. Channel 16: ones if Black is to move.
 */
export function alphaGoZeroPlanes({ board }: GoRules): Planes<GoState> {
  const { points, size } = board;
  const colours = new Uint8Array(MOST_CELLS);
  return {
    shape: [size, size, CHANNELS],
    encoding: [
      { as: "bits", channels: 2 * POSITIONS },
      { as: "uniform", channels: 1 },
    ],
    write: (state, out, offset) => {
      const { plies } = state;
      const mover = moverOfPly(state, plies);
      const end = offset + points * CHANNELS;
      out.fill(0, offset, end);
      colours.set(state.colour);
      const shown = Math.min(POSITIONS - 1, plies);
      for (let k = 0; k <= shown; k++) {
        if (k > 0) takeBackPly(state, plies - k, colours);
        paintStones(board, colours, mover + 1, out, offset + 2 * k, CHANNELS);
      }
      if (mover === 0) for (let at = offset + CHANNELS - 1; at < end; at += CHANNELS) out[at] = 1;
    },
  };
}

/** Paints the stones of a colour into the channel at `offset`, and those of the other into the next. */
function paintStones(
  { cellOf, points }: GoBoard,
  colours: Uint8Array,
  own: number,
  out: Float32Array,
  offset: number,
  channels: number,
): void {
  for (let point = 0; point < points; point++) {
    const colour = colours[cellOf[point]!]!;
    if (colour !== EMPTY) out[offset + point * channels + (colour === own ? 0 : 1)] = 1;
  }
}
