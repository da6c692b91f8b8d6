import type { StoredGame } from "../formats/game-records.ts";
import { writeAtomically } from "../formats/files/atomic-file.ts";
import { createGame } from "../games/registry.ts";
import { seatName } from "../games/seat-name.ts";
import { openRunFolder } from "../graph/folder/run-folder.ts";
import { gameSgf, sgfWriterOf, rulesInSgf } from "../graph/game-sgf.ts";
import { UsageError } from "../messages/usage-error.ts";

/**
 * Returns a function that writes a stored game of a run into an SGF file, with the agents as players. Throws UsageError
 * if the game of the run has no SGF.
 */
export function sgfExport(folder: string): (record: StoredGame, path: string) => void {
  const config = openRunFolder(folder).experiment.game;
  if (sgfWriterOf(config.rules) === undefined) {
    const known = rulesInSgf();
    throw new UsageError(
      `--sgf writes games of ${known.slice(0, -1).join(", ")} and ${known.at(-1)}, and this run plays ${config.rules}`,
    );
  }
  return (record, path) => writeAtomically(path, gameSgf(config, record)!);
}

/** The players of a stored game by seat: the agents, with the names of the seats if the game has them. */
export function playersOf(folder: string, { seats }: StoredGame): string[] {
  const { rules, ...options } = openRunFolder(folder).experiment.game;
  const game = createGame(rules, options);
  return game.drawing.seats === undefined
    ? [...seats]
    : seats.map((agent, seat) => seatName(game, seat, agent));
}

/**
 * The text of the position of a stored game after a number of plies; 0 is the start. Throws UsageError if the game has
 * fewer plies.
 */
export function positionAfter(folder: string, { actions }: StoredGame, plies: number): string {
  if (plies > actions.length)
    throw new UsageError(`--position ${plies}: the game has ${actions.length} plies`);
  const { rules, ...options } = openRunFolder(folder).experiment.game;
  const game = createGame(rules, options);
  const state: unknown = game.initial();
  for (const action of actions.subarray(0, plies)) game.play(state, action);
  return game.notation.position(state);
}
