import type { Game } from "../../games/game.ts";
import type { GameConfig } from "../../games/registry.ts";

/**
 * How programs of one kind speak GTP.
 *
 * The protocol leaves much to the programs: the names of games and colours, the form of moves and scores, game files,
 * commands of their own. A dialect has all of it, so that the session and the player know no game by name.
 */
export interface GtpDialect {
  readonly name: string;
  /** One or two sentences for the catalogue. */
  readonly description: string;
  /** By the names of our rules. */
  readonly games: Readonly<Record<string, GtpGame>>;
  /** The rules that a session begins with where nobody names any. */
  readonly firstGame: string;
  /** The commands of the dialect for a session, beside those of every session. */
  commands(table: GtpTable): Readonly<Record<string, GtpHandler>>;
  /** Game files; absent where the dialect has none. */
  readonly files?: GtpFiles;
}

/** How a dialect speaks of one game. */
export interface GtpGame {
  /** The name of the game in the dialect. */
  readonly variant: string;
  /** By seat: the names of its colour in lower case. The first one is written, all are read. */
  readonly colours: readonly (readonly [string, ...string[]])[];
  /** The form of moves and passes. */
  readonly moves: GtpMoves;
  /** The response to `final_score`. Before the end it tells the score so far. */
  score(game: Game<unknown>, state: unknown): string;
  /** The commands that make another program put up the empty board of the game. */
  begin(game: Game<unknown>): readonly string[];
}

/** Moves as text. A game whose rules have a pass as a move gives it a text here, `pass` as a rule. */
export interface GtpMoves {
  /** The text of a legal action. */
  format(game: Game<unknown>, state: unknown, action: number): string;
  /** The legal action that a text names, or undefined where it names none. */
  parse(game: Game<unknown>, state: unknown, text: string): number | undefined;
}

/** Follows a command: from its arguments to the text of its response. Throws GtpError where it cannot be followed. */
export type GtpHandler = (args: readonly string[]) => string;

/** What the commands of a dialect work with: the present game, and what the commands of every session do. */
export interface GtpTable {
  readonly game: Game<unknown>;
  /** What names the game, with all its options. */
  readonly config: GameConfig;
  readonly state: unknown;
  /** The seat to move; once the game is over, any. */
  readonly mover: number;
  /** The game of these rules as the session's user configured it; with default options where the user named another. */
  configOf(rules: string): GameConfig;
  /**
   * Sets up the start of a game. Throws where the dialect lacks the game or the agent cannot play it; then nothing has
   * changed.
   */
  begin(config: GameConfig): void;
  /** The seat of a colour. Throws GtpError. */
  seat(colour: string): number;
  /** The legal moves of a seat, as text. */
  legal(seat: number): string[];
  /** Plays the move that these words name, for a seat. Throws GtpError. */
  play(seat: number, words: readonly string[]): void;
  /** Lets the agent find a move for a seat and plays it; returns its text, `pass` where the seat has no move left. */
  genmove(seat: number): string;
}

/** A game as a file holds it. */
export interface GtpRecord {
  readonly config: GameConfig;
  /** The actions from the start of the game. */
  readonly actions: readonly number[];
}

/** The game files of a dialect. */
export interface GtpFiles {
  /** The names of our rules whose games can be written. */
  readonly rules: readonly string[];
  /** Reads the main line of a game. Throws GtpError, which tells the place. */
  read(text: string): GtpRecord;
  /** Writes a game of one of `rules`. `players` are names by seat; absent ones are left out. */
  write(config: GameConfig, actions: readonly number[], players?: readonly string[]): string;
}

/** Moves in the notation of the game itself; capitals do not matter. */
export const notationMoves: GtpMoves = {
  format: ({ notation }, state, action) => notation.format(state, action),
  parse: ({ notation }, state, text) =>
    notation.parse(state, text) ?? notation.parse(state, text.toLowerCase()),
};
