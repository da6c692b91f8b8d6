import type { Game } from "../../games/game.ts";
import { discCount } from "../../games/othello/evaluations.ts";
import type { GameOthello } from "../../games/othello/othello.ts";
import type { OthelloState } from "../../games/othello/state.ts";
import { type GtpDialect, type GtpGame, notationMoves } from "./dialect.ts";
import { GtpError } from "./error.ts";
import { allLegal, sizesOf, withArguments } from "./handler.ts";
import { leadText, readLead } from "./scores.ts";

/** The name of the game for controllers of several games. */
const VARIANT = "Othello";

const boardOf = (game: Game<unknown>) => (game as unknown as GameOthello).board;

/** The discs of Black less those of White, and the number of empty squares. */
function countOf(game: Game<unknown>, state: unknown): { readonly lead: number; readonly empty: number } {
  const black = discCount(state as OthelloState, 0);
  const white = discCount(state as OthelloState, 1);
  return { lead: black - white, empty: boardOf(game).squares - black - white };
}

const othello: GtpGame = {
  variant: VARIANT,
  colours: [
    ["b", "black"],
    ["w", "white"],
  ],
  moves: notationMoves,
  score: (game, state) => leadText(countOf(game, state).lead, ["B", "W"]),
  // Our rules count the discs on the board. Rules of tournaments give the empty squares to the winner besides.
  sameScore: (score, game, state) => {
    const { lead, empty } = countOf(game, state);
    return [lead, lead + Math.sign(lead) * empty].includes(readLead(score));
  },
  pass: (game) => boardOf(game).pass,
  movesLeft: (game, state) => Math.max(1, Math.ceil(countOf(game, state).empty / 2)),
  begin: (game) => [`boardsize ${boardOf(game).size}`, "clear_board"],
};

/** The dialect of programs that play Othello: squares as in the notation of our game, and a pass has a command. */
export const othelloDialect: GtpDialect = {
  name: "othello",
  description: "Othello, with a1 at the top left; a seat without a move passes by a command.",
  games: { othello },
  commands: (table) => ({
    all_legal: allLegal(table),
    boardsize: withArguments(["a size"], ([size]) => {
      const [number] = sizesOf([size!]);
      table.begin({ ...table.configOf("othello"), size: number });
      return "";
    }),
    list_games: withArguments([], () => VARIANT),
    set_game: (words) => {
      if (words.join(" ").toLowerCase() !== VARIANT.toLowerCase())
        throw new GtpError(`unsupported game "${words.join(" ")}" (known: ${VARIANT})`);
      table.begin(table.config);
      return "";
    },
  }),
};

/**
 * The dialect of GRhino's program for GTP, `gtp-rhino`: it has the board of 8x8 alone, and takes no pass in `play`. Source:
 * its manual page, its `--help` and its responses.
 */
export const gtpRhino: GtpDialect = {
  ...othelloDialect,
  name: "gtp-rhino",
  description: "Othello on 8x8 for programs, such as GRhino, that pass by themselves.",
  games: {
    othello: {
      ...othello,
      skipsPasses: true,
      refusal: ({ actions }) =>
        actions === 8 * 8 + 1 ? undefined : "the dialect gtp-rhino has Othello on 8x8 only",
    },
  },
};
