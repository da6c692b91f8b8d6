import { EMPTY } from "./board.ts";
import type { GoRules } from "./options.ts";
import type { GoState } from "./state.ts";
import { isSuicide, repeats } from "./superko.ts";

/** Whether an action is legal; the game is not over. */
export function isLegalGo(state: GoState, rules: GoRules, action: number): boolean {
  return action === rules.board.pass || isLegalCell(state, rules, rules.board.cellOf[action]!);
}

/** Whether the mover may place a stone on this cell of the board; the game is not over. */
export function isLegalCell(state: GoState, rules: GoRules, cell: number): boolean {
  return isFree(state, rules, cell) && (rules.superko === "simple" || !repeats(state, rules, cell));
}

/** Whether superko alone forbids the mover this cell of the board; the game is not over. */
export function isBarredCell(state: GoState, rules: GoRules, cell: number): boolean {
  return isFree(state, rules, cell) && rules.superko !== "simple" && repeats(state, rules, cell);
}

/** Why the mover may not place a stone on this cell of the board: it has one, or a rule forbids it. The game is not over. */
export type GoRefusal = "taken" | "ko" | "suicide" | "superko";

/** Why the mover may not place a stone on this cell; undefined if it may. */
export function refusalOfCell(state: GoState, rules: GoRules, cell: number): GoRefusal | undefined {
  if (state.colour[cell] !== EMPTY) return "taken";
  if (cell === state.ko) return "ko";
  if (!isFree(state, rules, cell)) return "suicide";
  return isLegalCell(state, rules, cell) ? undefined : "superko";
}

/** Whether a cell is empty, and neither the ko nor a suicide that is not allowed. */
function isFree(state: GoState, rules: GoRules, cell: number): boolean {
  if (state.colour[cell] !== EMPTY || cell === state.ko) return false;
  return rules.suicide || !isSuicide(state, rules.board, cell);
}

/** Writes the legal actions in increasing order, the pass last; returns their number. The game is not over. */
export function listLegalGo(state: GoState, rules: GoRules, out: Int32Array): number {
  const { points, cellOf, pass } = rules.board;
  let count = 0;
  for (let point = 0; point < points; point++)
    if (isLegalCell(state, rules, cellOf[point]!)) out[count++] = point;
  out[count++] = pass;
  return count;
}
