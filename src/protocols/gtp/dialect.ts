import type { Game } from "../../games/game.ts";
import type { GameConfig } from "../../games/registry.ts";
import type { Random } from "../../random.ts";
import type { AnalysisForm, WatchedMove } from "./analysis.ts";
import type { GameClock } from "./clock.ts";

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
  /** The game that a session sets up for the game of its user. Absent if both are alike. */
  configure?(config: GameConfig): GameConfig;
  /** The commands of the dialect for a session, beside those of every session. */
  commands(table: GtpTable): Readonly<Record<string, GtpHandler>>;
  /** Game files; absent if the dialect has none. */
  readonly files?: GtpFiles;
}

/** How a dialect speaks of one game. */
export interface GtpGame {
  /** The name of the game in the dialect. */
  readonly variant: string;
  /** Why a game with these rules, but other options, cannot be spoken of; absent if all can. */
  refusal?(game: Pick<Game<unknown>, "actions">): string | undefined;
  /** By seat: the names of its colour in lower case. The first one is written, all are read. */
  readonly colours: readonly (readonly [string, ...string[]])[];
  /** The form of moves and passes. */
  readonly moves: GtpMoves;
  /** The response to `final_score`. Before the end it is the score so far. */
  score(game: Game<unknown>, state: unknown): string;
  /**
   * Makes a seat the seat to move, at any time and after the end too, if the controller lets a colour move out of
   * turn. Returns false if the seat has no move. Absent: the game passes turns over by itself, if it can, and has no
   * moves after the end.
   */
  turnTo?(game: Game<unknown>, state: unknown, seat: number): boolean;
  /**
   * The action that passes a turn over, in a game that has one: records have it if colours moved out of turn. Without
   * `turnTo`, a seat whose only move is this action can be passed over without a command.
   */
  pass?(game: Game<unknown>): number;
  /** Whether other programs pass over a seat that must pass without a command for it: no such pass is sent or requested. */
  readonly skipsPasses?: boolean;
  /** The text of a pass in the response to `genmove`; `pass` if absent. */
  readonly passResponse?: string;
  /**
   * Whether another program's score at the end of a game agrees with the rules. Absent if such scores are not compared.
   */
  sameScore?(score: string, game: Game<unknown>, state: unknown): boolean;
  /** About how many moves the seat to move has still to make; absent if nobody can say. */
  movesLeft?(game: Game<unknown>, state: unknown): number;
  /** The commands that make another program put up the empty board of the game. */
  begin(game: Game<unknown>): readonly string[];
}

/** Moves as text. A game whose rules have a pass as a move gives it a text here, `pass` as a rule. */
export interface GtpMoves {
  /** The text of a legal action. */
  format(game: Game<unknown>, state: unknown, action: number): string;
  /** The legal action that a text names, or undefined if it names none. */
  parse(game: Game<unknown>, state: unknown, text: string): number | undefined;
}

/**
 * Follows a command: from its arguments, and their text as it was written, to the text of its response, or to a response that
 * continues. Throws GtpError if it cannot be followed.
 */
export type GtpHandler = (args: readonly string[], text: string) => string | GtpStream;

/** A response that continues until the next line of input comes. */
export interface GtpStream {
  /**
   * Works for a few milliseconds; returns whole lines, or an empty text, or undefined if nothing more will come. Then
   * it need not be called again.
   */
  next(): string | undefined;
  /** Called once, when the next line has come; returns the last lines. */
  end(): string;
}

/** What the commands of a dialect work with: the present game, and what the commands of every session do. */
export interface GtpTable {
  readonly game: Game<unknown>;
  /** What names the game, with all its options. */
  readonly config: GameConfig;
  readonly state: unknown;
  /** The seat to move; once the game is over, any. */
  readonly mover: number;
  /** The game of these rules as the session's user configured it; with default options if the user named another. */
  configOf(rules: string): GameConfig;
  /**
   * Sets up the start of a game. Throws if the dialect lacks the game or the agent cannot play it; then nothing has
   * changed.
   */
  begin(config: GameConfig): void;
  /** The seat of a colour. Throws GtpError. */
  seat(colour: string): number;
  /** The legal moves of a seat, as text. */
  legal(seat: number): string[];
  /** Plays the move that these words name, for a seat. Throws GtpError. */
  play(seat: number, words: readonly string[]): void;
  /** The game so far as the text of a file. Throws GtpError if it cannot be written. */
  printed(): string;
  /** Writes the game so far into a file. Throws if that is not possible. */
  save(path: string): void;
  /** Changes to the game with other options and keeps the position, which both must have. Throws as `begin` does. */
  change(config: GameConfig): void;
  /** Sets up a state of the present game as its start. */
  setUp(state: unknown): void;
  /** A stream of draws at the present ply for this purpose. */
  random(purpose: string): Random;
  /**
   * Lets the agent find a move for a seat and plays it; returns its text. If the seat has no move left, or the game is
   * over, the text is `pass` and nothing is played.
   */
  genmove(seat: number): GeneratedMove;
  /** The response to a `genmove` that continues after the end too, without this action if there is another. */
  genmoveWithout(seat: number, refused: number | undefined): string;
  /** As `genmove`, but nothing is played, and the agents keep what they know. */
  consider(seat: number): GeneratedMove;
  /** Lets the agent search for a seat while the controller watches, with a line in this form in every interval. */
  analyse(seat: number, intervalMs: number, form: AnalysisForm): GtpStream;
  /** The clocks of the seats. */
  readonly clock: GameClock;
}

/** A move that an agent has found. */
export interface GeneratedMove {
  readonly text: string;
  /** What the agent found out about the moves, the best first; before its next decision. Empty if it had none to find. */
  readonly watched: () => readonly WatchedMove[];
}

/** A game as a file holds it. */
export interface GtpRecord {
  readonly config: GameConfig;
  /** The actions from the start. */
  readonly actions: readonly number[];
  /** The state that the game starts with, if it is not that of the rules. */
  readonly start?: unknown;
  /** What in the file was not as it should be, each with its place and what was done about it. Absent: nothing. */
  readonly warnings?: readonly string[];
}

/** The game files of a dialect. */
export interface GtpFiles {
  /** The names of our rules whose games can be written. */
  readonly rules: readonly string[];
  /** Reads the first moves of the main line of a game, `most` at most. Throws GtpError, which names the place. */
  read(content: Uint8Array | string, most: number): GtpRecord;
  /**
   * Writes a game of one of `rules`. `players` are names by seat; absent ones are left out. Throws GtpError if the
   * game cannot be written.
   */
  write(record: GtpRecord, players?: readonly string[]): string;
}

/** Moves in the notation of the game itself; capitals do not matter. */
export const notationMoves: GtpMoves = {
  format: ({ notation }, state, action) => notation.format(state, action),
  parse: ({ notation }, state, text) =>
    notation.parse(state, text) ?? notation.parse(state, text.toLowerCase()),
};

/** Why a text names no legal action, in brackets behind a blank; empty if the game gives no reason. Capitals do not matter. */
export function reasonIllegal({ notation }: Game<unknown>, state: unknown, text: string): string {
  const reason = notation.whyIllegal?.(state, text.toLowerCase());
  return reason === undefined ? "" : ` (${reason})`;
}
