import type { Game } from "../../../games/game.ts";
import { BLACK, EMPTY } from "../../../games/go/board.ts";
import { goMoveText } from "../../../games/go/notation/coordinates.ts";
import type { GameGo } from "../../../games/go/go.ts";
import { goScore } from "../../../games/go/score.ts";
import type { GoState } from "../../../games/go/state.ts";
import { type GtpDialect, type GtpGame, notationMoves } from "../dialect.ts";
import { goCommands } from "./commands.ts";
import { goFiles } from "./files.ts";
import { goTurnTo } from "./turn.ts";
import { GO_PASS } from "./views.ts";
import { leadText, readLead } from "../scores.ts";

/** The share of the empty points that a seat still fills itself in a game of two good players, about. */
const OWN_MOVES = 0.4;
/** A seat always counts on so many more moves. */
const LEAST_MOVES = 8;

/** The score as GTP writes it: the winner and its lead with the komi, `B+3.5`, or `0`. */
function score(game: Game<unknown>, state: unknown): string {
  const { board, komi } = (game as unknown as GameGo).rules;
  const areas = new Float64Array(2);
  goScore(state as GoState, board, areas);
  return leadText(areas[0]! - areas[1]! - komi, ["B", "W"]);
}

const go: GtpGame = {
  variant: "Go",
  colours: [
    ["b", "black"],
    ["w", "white"],
  ],
  moves: notationMoves,
  score,
  turnTo: (game, state, seat) => goTurnTo(game as unknown as GameGo, state as GoState, seat),
  pass: (game) => (game as unknown as GameGo).rules.board.pass,
  passResponse: GO_PASS,
  sameScore: (text, game, state) => readLead(text) === readLead(score(game, state)),
  movesLeft: (_, state) => {
    const empty = (state as GoState).colour.reduce((sum, colour) => sum + (colour === EMPTY ? 1 : 0), 0);
    return Math.max(LEAST_MOVES, Math.round(OWN_MOVES * empty));
  },
  begin: (game) => {
    const { rules } = game as unknown as GameGo;
    const { board, komi } = rules;
    const start = game.initial() as GoState;
    const stones = Array.from({ length: board.points }, (_, point) => point).filter(
      (point) => start.colour[board.cellOf[point]!] === BLACK,
    );
    const handicap = stones.map((point) => goMoveText(board.size, point)).join(" ");
    return [
      `boardsize ${board.size}`,
      "clear_board",
      `komi ${komi}`,
      ...(handicap === "" ? [] : [`set_free_handicap ${handicap}`]),
    ];
  },
};

/**
 * The dialect of programs that play Go. Source: G. Farnebäck, "Specification of the Go Text Protocol, version 2, draft
 * 2" (2002), section 6; `kgs-` commands: "kgsGtp"; `lz-` and `kata-` commands: see `analysis.ts`.
 */
export const goDialect: GtpDialect = {
  name: "go",
  description: "Go; at the end of a game the scores of both sides are compared.",
  games: { go },
  // Controllers place handicap stones by commands, and expect an empty board.
  configure: (config) => ({ ...config, handicap: 0 }),
  files: goFiles,
  commands: goCommands,
};
