import type { SgfGame } from "../formats/sgf/sgf.ts";

/** How a game ended: `other` if only the winner is known, `unknown` if not even that. */
export const sgfEndings = ["score", "resignation", "time", "forfeit", "other", "unknown"] as const;

/** A game of a file, as moves of a game whose rules and options are given. */
export interface SgfMoves {
  /** Legal one after the other. */
  readonly moves: readonly number[];
  /** By seat: the return by the result in the file, else by the rules if the game is over; otherwise NaN. */
  readonly returns: readonly number[];
  readonly ending: (typeof sgfEndings)[number];
  /** The result as the file has it, or "". */
  readonly result: string;
  /** The text of the start, in the game's notation; absent if the game begins as the rules say. */
  readonly start?: string;
  /** Handicap stones; undefined for a start that is neither that of the rules nor a handicap. */
  readonly handicap: number | undefined;
  /** By seat; "" if the file names none. */
  readonly players: readonly string[];
  /** By seat: the rank or rating, as the file has it, or "". */
  readonly ratings: readonly string[];
  /** The options of the game in the file. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Why a game of a file cannot be taken. */
export interface SgfMovesRefused {
  readonly refused: "another game" | "another board" | "illegal move" | "not one game";
  /** The place in the file, and what is there. */
  readonly why: string;
}

/** Reads and writes games of one set of rules and options as SGF. */
export interface SgfFormat {
  /** Whether a file can give a start that is not that of the rules. */
  readonly starts: boolean;
  /** The main line of a game tree. */
  read(tree: SgfGame): SgfMoves | SgfMovesRefused;
  /** The text of a game, to be stored as UTF-8; `read` gives the game again. It has a `start` only with `starts`. */
  write(game: SgfMoves): string;
}
