import type { Board, BoardPlace } from "../../figures/boards/board.ts";
import { withLastMove } from "../../figures/boards/last-move.ts";
import type { Game } from "../../games/game.ts";

/** The last decision before a position: its place, if it has one that may be shown, and the state in which it was made. */
export interface LastMove {
  readonly place: BoardPlace | undefined;
  readonly before: unknown;
}

/**
 * The board of a state as a seat sees it (without one: all of it), or the picture that the game draws, which shows all. With the last
 * move, if it is given.
 */
export function boardOf(game: Game<unknown>, state: unknown, seen?: number, last?: LastMove): Board {
  const { drawing } = game;
  if (drawing.board !== undefined) {
    const board = drawing.board(state, seen);
    if (last?.place === undefined) return board;
    return withLastMove(board, last.place, drawing.board(last.before, seen));
  }
  return {
    kind: "picture",
    svg: drawing.svg(state),
    seats: Array.from({ length: game.players }, () => ({})),
  };
}
