import type { GameConfig } from "../../games/registry.ts";
import type { GtpBoard } from "./board.ts";

/** What the commands of a dialect work with: the session without its lines. */
export interface GtpTable {
  /** The game that is played now. */
  readonly board: GtpBoard;
  /**
   * Changes to a game, at its start, unless it is the present one with the same options; returns the board. Throws where
   * the dialect lacks the game or the agent cannot play it; then nothing has changed.
   */
  putUp(config: GameConfig): GtpBoard;
  /** The game of these rules as the session's user configured it; with default options where the user named another. */
  configOf(rules: string): GameConfig;
  /** The seat of a colour. Throws GtpError. */
  seat(colour: string): number;
  /** Plays the move that these words name, for a seat. */
  play(seat: number, words: readonly string[]): void;
  /** Lets the agent find a move for a seat and plays it; returns its text, `pass` where the seat has no move left. */
  genmove(seat: number): string;
}
