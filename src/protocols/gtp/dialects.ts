import type { Game } from "../../games/game.ts";

/** How a GTP dialect speaks of one game. */
export interface GtpGame {
  /** The game's name in the dialect. */
  readonly variant: string;
  /** By seat: the names of its colour in lower case, the one that is written first. */
  readonly colours: readonly (readonly [string, ...string[]])[];
}

/** What programs of one kind add to GTP's grammar: the games they play and how a game is begun. */
export interface GtpDialect {
  readonly name: string;
  readonly description: string;
  /** By the name of our rules. */
  readonly games: Readonly<Record<string, GtpGame>>;
  /** The commands that put up the empty board. */
  begin(game: Game<unknown>, spoken: GtpGame): readonly string[];
}

const twoColours = [
  ["b", "black", "blue"],
  ["w", "white", "green"],
] as const;

/**
 * Pentobi's: variants are named as in the GM property of its game files, colours as in its move properties, moves are
 * comma lists of cells. Source: Pentobi-GTP.md and Pentobi-SGF.md in Pentobi's sources (M. Enzenberger).
 */
export const pentobi: GtpDialect = {
  name: "pentobi",
  description: "Pentobi's: Blokus (colours 1 to 4) and Blokus Duo (b, w); tic-tac-toe in the same way.",
  games: {
    blokus: {
      variant: "Blokus",
      colours: [
        ["1", "blue"],
        ["2", "yellow"],
        ["3", "red"],
        ["4", "green"],
      ],
    },
    "blokus-duo": { variant: "Blokus Duo", colours: twoColours },
    "tic-tac-toe": { variant: "Tic-Tac-Toe", colours: twoColours },
  },
  begin: (_, { variant }) => [`set_game ${variant}`],
};

/** All dialects. */
export const gtpDialects: readonly GtpDialect[] = [pentobi];
