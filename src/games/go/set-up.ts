import { EMPTY } from "./board.ts";
import { placeStone } from "./chains.ts";
import type { GoRules } from "./options.ts";
import { type GoState, newGoState } from "./state.ts";
import { recordKey } from "./superko.ts";

/**
 * A game that begins with these stones (by point: EMPTY, BLACK or WHITE) and this seat to move; the position is the
 * first that superko compares with. undefined where a chain has no liberty.
 */
export function setUpGo(rules: GoRules, colours: ArrayLike<number>, first: number): GoState | undefined {
  const { board } = rules;
  const state = newGoState(board, first);
  let stones = 0;
  for (let point = 0; point < board.points; point++) {
    const colour = colours[point]!;
    if (colour === EMPTY) continue;
    stones++;
    if (placeStone(state, board, board.cellOf[point]!, colour, -stones, 0) > 0) return undefined;
  }
  recordKey(state, rules, first);
  return state;
}
