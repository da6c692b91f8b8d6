import { OVER } from "../../game.ts";
import { EMPTY } from "../board.ts";
import type { GoRules } from "../options.ts";
import type { GoState } from "../state.ts";
import { isSuicide, repeats } from "../superko.ts";
import { goMoveOfText } from "./coordinates.ts";

/** Why a text is not a legal move; undefined if it is one. */
export function whyIllegalGo(state: GoState, rules: GoRules, text: string): string | undefined {
  const { board } = rules;
  const { cellOf, pass, size } = board;
  const action = goMoveOfText(size, text);
  if (action === undefined) {
    if (/^i\d+$/i.test(text)) return "there is no column I";
    if (/^[a-z]\d+$/i.test(text)) return `outside the board of ${size}x${size}`;
    return "not a vertex such as D4, and not pass";
  }
  if (state.toMove === OVER) return "the game is over";
  if (action === pass) return undefined;
  const cell = cellOf[action]!;
  if (state.colour[cell] !== EMPTY) return "the point is occupied";
  if (cell === state.ko) return "ko: it would take back the stone that has just captured";
  if (!rules.suicide && isSuicide(state, board, cell)) return "suicide: the stone would have no liberty";
  if (rules.superko !== "simple" && repeats(state, rules, cell))
    return "superko: it would repeat an earlier position";
  return undefined;
}
