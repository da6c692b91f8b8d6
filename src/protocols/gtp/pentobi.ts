import { isPublishedBlokus } from "../../games/blokus/blokus.ts";
import { BLOKUS_SQUARES } from "../../games/blokus/pieces.ts";
import { BlokusSgfInvalid, readBlokusSgf, writeBlokusSgf } from "../../games/blokus/sgf.ts";
import { type GtpDialect, type GtpFiles, type GtpGame, notationMoves } from "./dialect.ts";
import { GtpError } from "./error.ts";
import { allLegal, withArguments } from "./handler.ts";
import { leadOf, placeOf, scoresInOrder } from "./scores.ts";

const FOUR_COLOURS = [
  ["1", "blue"],
  ["2", "yellow"],
  ["3", "red"],
  ["4", "green"],
] as const;

const TWO_COLOURS = [
  ["b", "black", "blue"],
  ["w", "white", "green"],
] as const;

/** A game of two colours. */
function ofTwo(variant: string): GtpGame {
  return {
    variant,
    colours: TWO_COLOURS,
    moves: notationMoves,
    score: (game, state) => leadOf(game, state, ["B", "W"]),
    begin: () => [`set_game ${variant}`],
  };
}

const files: GtpFiles = {
  rules: ["blokus", "blokus-duo"],
  read: (content, most) => {
    try {
      const { actions, game } = readBlokusSgf(
        typeof content === "string" ? content : new TextDecoder().decode(content),
      );
      return { config: { rules: game }, actions: actions.slice(0, most) };
    } catch (error) {
      if (error instanceof BlokusSgfInvalid) throw new GtpError(error.message);
      throw error;
    }
  },
  write: ({ actions, config, start }, players) => {
    if (start !== undefined) throw new GtpError("cannot save a game from a position that was set up");
    return writeBlokusSgf(config.rules as "blokus" | "blokus-duo", actions, players);
  },
};

/**
 * Pentobi's dialect: variants are named as in the GM property of its game files, colours as in its move properties, and
 * a move is a list of cells. Source: Pentobi-GTP.md and Pentobi-SGF.md in the sources of Pentobi (M. Enzenberger).
 */
export const pentobi: GtpDialect = {
  name: "pentobi",
  description: "Pentobi's: Blokus (colours 1 to 4), Blokus Duo and tic-tac-toe (b, w).",
  games: {
    blokus: {
      variant: "Blokus",
      refusal: (game) =>
        isPublishedBlokus(game) ? undefined : "Pentobi's dialect has Blokus on 20x20 with all pieces only",
      colours: FOUR_COLOURS,
      moves: notationMoves,
      // Pentobi counts the squares that are laid, ours those that are left, as losses.
      score: (game, state) => scoresInOrder(game, state, BLOKUS_SQUARES),
      begin: () => ["set_game Blokus"],
    },
    "blokus-duo": ofTwo("Blokus Duo"),
    "tic-tac-toe": ofTwo("Tic-Tac-Toe"),
  },
  files,
  commands: (table) => ({
    all_legal: allLegal(table),
    g: withArguments([], () => table.genmove(table.mover).text),
    get_place: withArguments(["a colour"], ([colour]) =>
      placeOf(table.game, table.state, table.seat(colour!)),
    ),
    p: (words) => {
      table.play(table.mover, words);
      return "";
    },
    set_game: (words) => {
      const variant = words.join(" ");
      const known = Object.entries(pentobi.games);
      const found = known.find(([, game]) => game.variant.toLowerCase() === variant.toLowerCase());
      if (found === undefined)
        throw new GtpError(
          `invalid game "${variant}" (known: ${known.map(([, game]) => game.variant).join(", ")})`,
        );
      table.begin(table.configOf(found[0]));
      return "";
    },
  }),
};
