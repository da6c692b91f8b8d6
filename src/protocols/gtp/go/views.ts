import type { GoBoard } from "../../../games/go/board.ts";
import type { GameGo } from "../../../games/go/go.ts";
import type { GoState } from "../../../games/go/state.ts";
import type { GtpTable } from "../dialect.ts";

/** A pass in the responses that name a move, written as GNU Go does: Kigo takes `pass` for a vertex. */
export const GO_PASS = "PASS";

/** The game on a table as Go; each function returns the present value. */
export interface GoViews {
  readonly game: () => GameGo;
  readonly state: () => GoState;
  readonly board: () => GoBoard;
  readonly size: () => number;
}

/** The present game and state of a table of Go. */
export function goViews(table: GtpTable): GoViews {
  const game = () => table.game as unknown as GameGo;
  const board = () => game().rules.board;
  return { board, game, size: () => board().size, state: () => table.state as GoState };
}
