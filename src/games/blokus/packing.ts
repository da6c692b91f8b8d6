import type { BlokusBoard } from "./board.ts";
import { playBlokus } from "./play.ts";
import { actionOfPly, type BlokusState, resetBlokusState } from "./state.ts";
import type { Packing } from "../game.ts";

/**
 * A state as the list of its placements, 2 bytes each, after one byte for the opener and the turn order and one for
 * the number of plies: 170 bytes with four players and all pieces, 86 with two. Unpacking plays them, so only states that play from the
 * start has led to can be packed.
 */
export function blokusPacking(board: BlokusBoard): Packing<BlokusState> {
  const longest = board.players * board.pieces;
  return {
    bytes: 2 + 2 * longest,
    pack(state, out, offset) {
      out[offset] = (state.step << 2) | state.opener;
      out[offset + 1] = state.plies;
      for (let ply = 0, at = offset + 2; ply < longest; ply++, at += 2) {
        const action = ply < state.plies ? actionOfPly(state, ply) : 0;
        out[at] = action & 255;
        out[at + 1] = action >> 8;
      }
    },
    unpack(from, offset, into) {
      resetBlokusState(into, board, from[offset]! & 3, from[offset]! >> 2);
      const plies = from[offset + 1]!;
      for (let ply = 0, at = offset + 2; ply < plies; ply++, at += 2)
        playBlokus(into, board, from[at]! | (from[at + 1]! << 8));
    },
  };
}
