import type { GameConnectFour } from "../../games/connect-four/connect-four.ts";
import { type ConnectFourState, stoneCount } from "../../games/connect-four/state.ts";
import type { Game } from "../../games/game.ts";
import { type GtpDialect, type GtpGame, notationMoves } from "./dialect.ts";
import { allLegal, sizesOf, withArguments } from "./handler.ts";
import { leadOf, readLead } from "./scores.ts";

const boardOf = (game: Game<unknown>) => (game as unknown as GameConnectFour).board;

const score = (game: Game<unknown>, state: unknown) => leadOf(game, state, ["B", "W"]);

const connectFour: GtpGame = {
  variant: "Connect Four",
  colours: [
    ["b", "black", "yellow"],
    ["w", "white", "red"],
  ],
  moves: notationMoves,
  score,
  // A program may count a win as it likes: only the winner is compared.
  sameScore: (text, game, state) => Math.sign(readLead(text)) === Math.sign(readLead(score(game, state))),
  movesLeft: (game, state) => {
    const { columns, rows } = boardOf(game);
    return Math.max(1, Math.ceil((columns * rows - stoneCount(state as ConnectFourState)) / 2));
  },
  begin: (game) => {
    const { columns, rows } = boardOf(game);
    return [`rectangular_boardsize ${columns} ${rows}`, "clear_board"];
  },
};

/** The dialect of programs that play Connect Four: a move is the number of its column, as in the notation of our game. */
export const connectFourDialect: GtpDialect = {
  name: "connect-four",
  description: "Connect Four; a move is the number of its column, from 1 at the left.",
  games: { "connect-four": connectFour },
  commands: (table) => ({
    all_legal: allLegal(table),
    rectangular_boardsize: withArguments(["a number of columns", "a number of rows"], (texts) => {
      const [columns, rows] = sizesOf(texts);
      table.begin({ ...table.configOf("connect-four"), columns, rows });
      return "";
    }),
  }),
};
