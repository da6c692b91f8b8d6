import { writeFileSync } from "node:fs";
import type { StoredGame } from "../formats/game-records.ts";
import { writeBlokusSgf } from "../games/blokus/sgf.ts";
import { openRunFolder } from "../graph/run-folder.ts";
import { UsageError } from "./complaint.ts";

/**
 * What writes a stored game of a run into a Blokus SGF file, the agents as players. Throws UsageError where the run is
 * of another game.
 */
export function sgfExport(folder: string): (record: StoredGame, path: string) => void {
  const { rules } = openRunFolder(folder).experiment.game;
  if (rules !== "blokus" && rules !== "blokus-duo")
    throw new UsageError(`--sgf writes games of blokus and blokus-duo, and this run plays ${rules}`);
  return (record, path) => writeFileSync(path, writeBlokusSgf(rules, record.actions, record.seats));
}
