import { BLACK, PASS_CELL, WHITE } from "../../../games/go/board.ts";
import { goMoveText } from "../../../games/go/notation/coordinates.ts";
import { moverOfPly, takeBackPly } from "../../../games/go/state.ts";
import type { GtpHandler, GtpTable } from "../dialect.ts";
import { GO_PASS, goViews } from "./views.ts";
import { withArguments } from "../handler.ts";

/** By seat: its name in the responses of these commands. */
const NAMES = ["black", "white"] as const;

/** Most moves in the response to `top_moves_black` and `top_moves_white`. */
const MOST_MOVES = 10;

/**
 * Commands of GNU Go by which graphical boards such as Kigo learn what to draw. Source: "GNU Go Program Documentation",
 * chapter 19, "The Go Text Protocol".
 */
export function goBoardCommands(table: GtpTable): Readonly<Record<string, GtpHandler>> {
  const { board, game, size, state } = goViews(table);
  const topMoves = (seat: number) =>
    withArguments([], () => {
      const moves = table.consider(seat).watched();
      const sum = moves.reduce((total, { visits = 0 }) => total + visits, 0);
      return moves
        .slice(0, sum === 0 ? 1 : MOST_MOVES)
        .map(({ text, visits = 0 }) => `${text} ${(sum === 0 ? 100 : (100 * visits) / sum).toFixed(2)}`)
        .join(" ");
    });
  const history = () =>
    Array.from({ length: state().plies }, (_, ply) => {
      const cell = state().history.moves[ply]!;
      const move = cell === PASS_CELL ? GO_PASS : goMoveText(size(), board().pointOf[cell]!);
      return `${NAMES[moverOfPly(state(), ply)]} ${move}`;
    });
  return {
    captures: withArguments(["a colour"], ([colour]) => String(state().prisoners[1 - table.seat(colour!)])),
    get_handicap: withArguments([], () => String(handicapStones(table))),
    get_komi: withArguments([], () => String(game().rules.komi)),
    last_move: withArguments([], () => history().at(-1) ?? ""),
    list_stones: withArguments(["a colour"], ([colour]) => {
      const wanted = table.seat(colour!) + 1;
      const { cellOf, points } = board();
      return Array.from({ length: points }, (_, point) => point)
        .filter((point) => state().colour[cellOf[point]!] === wanted)
        .map((point) => goMoveText(size(), point))
        .join(" ");
    }),
    move_history: withArguments([], () => history().toReversed().join("\n")),
    query_boardsize: withArguments([], () => String(size())),
    top_moves_black: topMoves(0),
    top_moves_white: topMoves(1),
  };
}

/** The number of Black's stones that the game began with, if it began with a handicap: White to move, no white stone. */
function handicapStones(table: GtpTable): number {
  const { state } = goViews(table);
  const { colour, first, plies } = state();
  if (first !== 1) return 0;
  const start = colour.slice();
  for (let ply = plies - 1; ply >= 0; ply--) takeBackPly(state(), ply, start);
  const count = (wanted: number) => start.reduce((sum, each) => sum + (each === wanted ? 1 : 0), 0);
  return count(WHITE) > 0 ? 0 : count(BLACK);
}
