import { PASS_CELL } from "./board.ts";
import { placeStone } from "./chains.ts";
import { OVER } from "../game.ts";
import type { GoRules } from "./options.ts";
import { growHistory, type GoState } from "./state.ts";
import { recordKey } from "./superko.ts";

/** Plays a legal action in place. */
export function playGo(state: GoState, rules: GoRules, action: number): void {
  const { history, plies, toMove } = state;
  const cell = rules.board.cellOf[action]!;
  growHistory(history, plies);
  history.moves[plies] = cell;
  const before = plies === 0 ? 0 : history.capturedEnd[plies - 1]!;
  let after = before;
  state.ko = 0;
  if (cell === PASS_CELL) state.passes++;
  else {
    state.passes = 0;
    after = placeStone(state, rules.board, cell, toMove + 1, plies + 1, before);
    if (
      after === before + 1 &&
      state.stones[cell] === 1 &&
      state.liberties[cell] === 1 &&
      history.captured[before] !== cell
    )
      state.ko = history.captured[before]!;
  }
  history.capturedEnd[plies] = after;
  state.plies = plies + 1;
  const over = state.passes === 2 || state.plies === rules.moveLimit;
  state.toMove = over ? OVER : 1 - toMove;
  recordKey(state, rules, 1 - toMove);
}
