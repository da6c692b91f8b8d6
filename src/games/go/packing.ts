import { OVER } from "../game.ts";
import type { Packing } from "../game.ts";
import { MOST_CELLS } from "./board.ts";
import { isBarredCell } from "./legal.ts";
import type { GoRules } from "./options.ts";
import { playGo } from "./play.ts";
import { setUpGo } from "./set-up.ts";
import { BARRED, copyGoState, type GoState, lastMove, moverOfPly, takeBackPly } from "./state.ts";

/** Plies before a position that its planes show: the last 8 boards, and the age of stones up to 8 plies. */
const REMEMBERED = 7;

/**
 * A state in few bytes: the board before the last 7 plies, these plies, and the points that superko forbids the mover. 47
 * bytes on 9x9, 152 on 19x19.
 *
 * Byte 0 has the seat of the first of these plies (bit 0), whether the game is over (bit 1), and the number of plies (bits
 * 2 to 4). Two bits a point follow (the colour), 2 bytes a ply (the action), and a bit a point. Lower bits come first.
 *
 * A state that was unpacked has the same planes and the same legal moves. It knows nothing of earlier plies: those points
 * are forbidden in this position only, and after another move superko forbids less.
 */
export function goPacking(rules: GoRules): Packing<GoState> {
  const { points, pass, cellOf, pointOf } = rules.board;
  const stonesBytes = Math.ceil(points / 4);
  const bytes = 1 + stonesBytes + 2 * REMEMBERED + Math.ceil(points / 8);
  const unlimited = { ...rules, moveLimit: 0 };
  const colours = new Uint8Array(MOST_CELLS);
  const start = new Uint8Array(points);
  return {
    bytes,

    pack(state, out, offset) {
      const plies = Math.min(state.plies, REMEMBERED);
      const over = state.toMove === OVER;
      out.fill(0, offset, offset + bytes);
      out[offset] = moverOfPly(state, state.plies - plies) | (over ? 2 : 0) | (plies << 2);
      colours.set(state.colour);
      for (let back = 1; back <= plies; back++) takeBackPly(state, state.plies - back, colours);
      let at = offset + 1;
      for (let point = 0; point < points; point++)
        out[at + (point >> 2)]! |= colours[cellOf[point]!]! << (2 * (point & 3));
      at += stonesBytes;
      for (let back = plies; back >= 1; back--, at += 2) {
        const cell = lastMove(state, back);
        const action = cell === 0 ? pass : pointOf[cell]!;
        out[at] = action & 255;
        out[at + 1] = action >> 8;
      }
      at = offset + 1 + stonesBytes + 2 * REMEMBERED;
      if (!over)
        for (let point = 0; point < points; point++) {
          const cell = cellOf[point]!;
          if (isBarredCell(state, rules, cell)) out[at + (point >> 3)]! |= 1 << (point & 7);
        }
    },

    unpack(from, offset, into) {
      let at = offset + 1;
      for (let point = 0; point < points; point++)
        start[point] = (from[at + (point >> 2)]! >> (2 * (point & 3))) & 3;
      at += stonesBytes;
      const state = setUpGo(rules, start, from[offset]! & 1);
      if (state === undefined) throw new Error("these bytes are not a packed position of Go");
      const plies = from[offset]! >> 2;
      for (let ply = 0; ply < plies; ply++, at += 2)
        playGo(state, unlimited, from[at]! | (from[at + 1]! << 8));
      if ((from[offset]! & 2) !== 0) state.toMove = OVER;
      at = offset + 1 + stonesBytes + 2 * REMEMBERED;
      state.barredPly = state.plies;
      for (let point = 0; point < points; point++)
        if ((from[at + (point >> 3)]! >> (point & 7)) & 1) state.lost[cellOf[point]!]! |= BARRED;
      copyGoState(state, into);
    },
  };
}
