import type { Notation } from "../../game.ts";
import { goMoveOfText, goMoveText } from "./coordinates.ts";
import { whyIllegalGo } from "./illegal.ts";
import { isLegalGo } from "../legal.ts";
import type { GoRules } from "../options.ts";
import { goPosition, parseGoPosition } from "./position-notation.ts";
import type { GoState } from "../state.ts";

/** Moves as GTP writes them: `D4`, `pass`; read in either case. For positions see `goPosition`. */
export function goNotation(rules: GoRules): Notation<GoState> {
  const { size } = rules.board;
  return {
    format: (_, action) => goMoveText(size, action),
    parse(state, text) {
      const action = goMoveOfText(size, text);
      return action !== undefined && state.toMove >= 0 && isLegalGo(state, rules, action)
        ? action
        : undefined;
    },
    whyIllegal: (state, text) => whyIllegalGo(state, rules, text),
    position: (state) => goPosition(state, rules),
    parsePosition: (text) => parseGoPosition(text, rules),
  };
}
