import type { Planes } from "../../game.ts";
import { EMPTY, PASS_CELL } from "../board.ts";
import { isLegalCell } from "../legal.ts";
import type { GoRules } from "../options.ts";
import { type GoState, lastMove, moverOfPly } from "../state.ts";

const LIBERTIES = 2;
const FORBIDDEN = 5;
const LAST = 6;
const BITS = 8;
const ONES = 8;
const PASSED = 9;
const KOMI = 10;
const CHANNELS = 11;

/** The komi is divided by so many points. */
const KOMI_UNIT = 15;

/**
 * A compact input for small nets: 11 channels, from the side of the seat to move.
 *
 * | channels | what |
 * |---|---|
 * | 0, 1 | stones of the mover, stones of the other seat |
 * | 2-4 | stones of chains with 1, 2 and 3 liberties |
 * | 5 | empty points where the mover may not play: ko, superko, suicide |
 * | 6, 7 | the last move, the move before it |
 * | 8 | ones: they distinguish the points from what lies outside the board |
 * | 9 | ones if the last ply was a pass: a pass now ends the game |
 * | 10 | the komi that the mover receives / 15, negative for Black |
 *
 * When the game is over, no point is shown as forbidden.
 */
export function goCompactPlanes(rules: GoRules): Planes<GoState> {
  const { board, komi } = rules;
  const { cellOf, points, pointOf, size } = board;
  return {
    shape: [size, size, CHANNELS],
    encoding: [
      { as: "bits", channels: BITS },
      { as: "uniform", channels: CHANNELS - BITS },
    ],
    write: (state, out, offset) => {
      const { colour, head, liberties, passes, plies, toMove } = state;
      const mover = moverOfPly(state, plies);
      const toWhite = Math.fround(komi / KOMI_UNIT);
      const received = mover === 0 ? 0 - toWhite : toWhite;
      const passed = passes > 0 ? 1 : 0;
      out.fill(0, offset, offset + points * CHANNELS);
      for (let point = 0; point < points; point++) {
        const cell = cellOf[point]!;
        const at = offset + point * CHANNELS;
        const there = colour[cell]!;
        if (there !== EMPTY) {
          out[at + (there === mover + 1 ? 0 : 1)] = 1;
          const free = liberties[head[cell]!]!;
          if (free <= 3) out[at + LIBERTIES - 1 + free] = 1;
        } else if (toMove >= 0 && !isLegalCell(state, rules, cell)) out[at + FORBIDDEN] = 1;
        out[at + ONES] = 1;
        out[at + PASSED] = passed;
        out[at + KOMI] = received;
      }
      for (let back = 1; back <= 2; back++) {
        const cell = lastMove(state, back);
        if (cell > PASS_CELL) out[offset + pointOf[cell]! * CHANNELS + LAST + back - 1] = 1;
      }
    },
  };
}
