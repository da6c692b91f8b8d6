import { existsSync } from "node:fs";
import { decodeGameRecord, type StoredGame } from "../formats/game-records.ts";
import { RecordLogReader } from "../formats/record-log.ts";
import type { Experiment } from "../operators/experiment/open-experiment.ts";
import { gamesPath } from "../operators/run/run-files.ts";
import { RunFolderInvalid } from "./folder/run-folder-invalid.ts";

/**
 * A stored game of a run. `stage` names the stage that played it; undefined means the first stage with recorded
 * games. Throws RunFolderInvalid if there is no such game.
 */
export function recordedGame(
  folder: string,
  experiment: Experiment,
  stage: string | undefined,
  number: number,
): { readonly stage: string; readonly record: StoredGame } {
  const chosen = stageWithGames(folder, experiment, stage);
  return { stage: chosen, record: findRecord(folder, chosen, number) };
}

/** The stage with recorded games that `stage` names, or the first one. Throws RunFolderInvalid if there is none. */
export function stageWithGames(folder: string, { graph }: Experiment, stage: string | undefined): string {
  const stages = Object.keys(graph).filter((name) => existsSync(gamesPath(folder, name)));
  const chosen = stage ?? stages[0];
  if (chosen === undefined) throw new RunFolderInvalid(`${folder} has no recorded games yet`);
  if (!stages.includes(chosen))
    throw new RunFolderInvalid(
      `stage "${chosen}" has no recorded games in ${folder}; stages with games: ${stages.join(", ")}`,
    );
  return chosen;
}

/** The record of the game with this number. Most logs have it at this index; others skip games or mix their order. */
function findRecord(folder: string, stage: string, number: number): StoredGame {
  const path = gamesPath(folder, stage);
  const log = new RecordLogReader(path);
  try {
    if (number < log.records) {
      const record = decodeGameRecord(log.read(number), path);
      if (record.game === number) return record;
    }
    const known: number[] = [];
    for (const bytes of log) {
      const record = decodeGameRecord(bytes, path);
      if (record.game === number) return record;
      known.push(record.game);
    }
    if (known.every((game, place) => game === place))
      throw new RunFolderInvalid(
        `stage "${stage}" has ${known.length} recorded games, numbered from 0; there is no game ${number}`,
      );
    const some = known.length > 6 ? [...known.slice(0, 3), "...", ...known.slice(-3)] : known;
    throw new RunFolderInvalid(`stage "${stage}" has not recorded game ${number}; it has ${some.join(", ")}`);
  } finally {
    log.close();
  }
}
