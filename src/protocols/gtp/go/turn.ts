import { OVER } from "../../../games/game.ts";
import type { GameGo } from "../../../games/go/go.ts";
import { setUpGo, stonesOf } from "../../../games/go/set-up.ts";
import type { GoState } from "../../../games/go/state.ts";

/**
 * Makes a seat the seat to move. A seat between passes, as a ply of the game. If that would end the game, or the game
 * is over already, a new one begins from the stones on the board. False if that cannot be: a stone has no liberty.
 */
export function goTurnTo(game: GameGo, state: GoState, seat: number): boolean {
  const { board } = game.rules;
  if (state.toMove !== seat && state.toMove !== OVER && state.passes === 0) game.play(state, board.pass);
  if (state.toMove === seat) return true;
  const begun = setUpGo(game.rules, stonesOf(state, board), seat);
  if (begun === undefined) return false;
  game.copy(begun, state);
  return true;
}
