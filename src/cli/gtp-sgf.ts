import { readFileSync } from "node:fs";
import { writeAtomically } from "../formats/atomic-file.ts";
import { BlokusSgfInvalid, readBlokusSgf, writeBlokusSgf } from "../games/blokus/sgf.ts";
import { GtpError, type GtpPlay } from "./gtp-play.ts";

/** A game read from a file, as far as it is wanted. */
export interface LoadedGame {
  /** The name of our rules. */
  readonly rules: string;
  readonly actions: readonly number[];
}

/**
 * Reads the main line of a game in Blokus SGF. With a number from 1 on it ends before the move of that number; a game
 * with fewer moves is read whole.
 */
export function loadGame(path: string, before: string | undefined): LoadedGame {
  if (before !== undefined && !/^[1-9]\d*$/.test(before))
    throw new GtpError(`invalid move number "${before}": expected a whole number from 1 on`);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw new GtpError(`cannot read the file "${path}"`);
  }
  try {
    const { game, actions } = readBlokusSgf(text);
    return { rules: game, actions: actions.slice(0, before === undefined ? undefined : Number(before) - 1) };
  } catch (error) {
    if (error instanceof BlokusSgfInvalid) throw new GtpError(`${path}: ${error.message}`);
    throw error;
  }
}

/** Writes the game so far as Blokus SGF. */
export function saveGame(path: string, { game, line }: GtpPlay): void {
  if (game.name !== "blokus" && game.name !== "blokus-duo")
    throw new GtpError(`${game.name} has no form of game files`);
  if (line === undefined) throw new GtpError("cannot save a game in which colours moved out of turn");
  writeAtomically(path, writeBlokusSgf(game.name, line));
}
