import type { FinalBounds, StaticEvaluations } from "../game.ts";
import { BLACK, WHITE } from "./board.ts";
import type { GoRules } from "./options.ts";
import { surePoints } from "./pass-alive.ts";
import { goScore } from "./score.ts";
import type { GoState } from "./state.ts";

/** The static evaluation `area`: the points of each seat in the present position, those of White with komi. */
export function goArea({ board, komi }: GoRules): StaticEvaluations<GoState>[string] {
  return (state, out) => {
    goScore(state, board, out);
    out[1]! += komi;
  };
}

/** Bounds of `area`: each seat keeps its sure points, and the rest of the board may become the opponent's. */
export function goAreaBounds({ board, komi }: GoRules): FinalBounds<GoState>[string] {
  return (state, least, most) => {
    const black = surePoints(state, board, BLACK);
    const white = surePoints(state, board, WHITE);
    least[0] = black;
    most[0] = board.points - white;
    least[1] = white + komi;
    most[1] = board.points - black + komi;
  };
}
