import type { SgfGame } from "../formats/sgf/sgf.ts";

/** How a game ended: `other` where only the winner is known, `unknown` where not even that. */
export const sgfEndings = ["score", "resignation", "time", "forfeit", "other", "unknown"] as const;

/** A game of a file, as moves of a game whose rules and options are given. */
export interface SgfMoves {
  /** Legal one after the other. */
  readonly moves: readonly number[];
  /** By seat: the return by the result that the file tells, else by the rules where the game is over; NaN elsewhere. */
  readonly returns: readonly number[];
  readonly ending: (typeof sgfEndings)[number];
  /** The result as the file has it, or "". */
  readonly result: string;
  /** The text of the start, in the game's notation; absent where the game begins as the rules say. */
  readonly start?: string;
  /** Handicap stones; undefined for a start that is neither that of the rules nor a handicap. */
  readonly handicap: number | undefined;
  /** By seat; "" where the file tells none. */
  readonly players: readonly string[];
  /** By seat: the rank or rating, as the file has it, or "". */
  readonly ratings: readonly string[];
  /** The options of the game as the file tells them. */
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
  /** Whether a file can tell a start that is not that of the rules. */
  readonly starts: boolean;
  /** The main line of a game tree. */
  read(tree: SgfGame): SgfMoves | SgfMovesRefused;
  /** The text of a game, to be stored as UTF-8; `read` gives the game again. It has a `start` only with `starts`. */
  write(game: SgfMoves): string;
}
