import type { Board } from "../../figures/boards/board.ts";
import type { Game } from "../../games/game.ts";

/** The board of a state as a seat sees it (without one: all of it), or the picture that the game draws, which shows all. */
export function boardOf(game: Game<unknown>, state: unknown, seen?: number): Board {
  const { drawing } = game;
  if (drawing.board !== undefined) return drawing.board(state, seen);
  return {
    kind: "picture",
    svg: drawing.svg(state),
    seats: Array.from({ length: game.players }, () => ({})),
  };
}
