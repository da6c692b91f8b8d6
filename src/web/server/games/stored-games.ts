import { existsSync, statSync } from "node:fs";
import { decodeGameRecord, type StoredGame } from "../../../formats/game-records.ts";
import { decodeGameAnalysis, type GameAnalysis } from "../../../formats/game-analyses.ts";
import { readRecord, RecordLogReader } from "../../../formats/record-log.ts";
import type { Experiment } from "../../../operators/experiment/open-experiment.ts";
import { analysesPath, gamesPath } from "../../../operators/run/run-files.ts";
import type { StageGames } from "../../views/game-views.ts";
import { RequestRefused } from "../responses.ts";

/** Where the records of a log begin, as it was when it was read. */
interface LogIndex {
  readonly stamp: string;
  readonly starts: readonly number[];
}

/** The most logs whose places are kept. */
const MOST_LOGS = 16;
const indexes = new Map<string, LogIndex>();

/** Where the records of a log begin. A log is read once for each change of it. Throws `FileCorrupt`. */
function startsOf(path: string): readonly number[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  const stamp = `${stat.size}:${stat.mtimeMs}`;
  const known = indexes.get(path);
  if (known?.stamp === stamp) return known.starts;
  const log = new RecordLogReader(path);
  const starts = Array.from({ length: log.records }, (_, n) => log.start(n));
  log.close();
  indexes.delete(path);
  indexes.set(path, { stamp, starts });
  if (indexes.size > MOST_LOGS) indexes.delete(indexes.keys().next().value!);
  return starts;
}

/** The stages of a run that have stored games, in the order of its file. */
export function stagesWithGames(folder: string, { graph }: Experiment): StageGames[] {
  return Object.keys(graph).flatMap((stage) => {
    const path = gamesPath(folder, stage);
    const games = startsOf(path).length;
    return games === 0 ? [] : [{ stage, games, newest: statSync(path).mtimeMs }];
  });
}

/** Some games of a stage, the newest first; `from` 0 is the newest. */
export function newestGames(folder: string, stage: string, from: number, count: number): StoredGame[] {
  const path = gamesPath(folder, stage);
  const starts = startsOf(path);
  const end = Math.max(0, starts.length - from);
  return starts
    .slice(Math.max(0, end - count), end)
    .map((start) => decodeGameRecord(readRecord(path, start), path))
    .toReversed();
}

/** The game of a stage with this number. Throws RequestRefused where there is none. */
export function storedGame(folder: string, stage: string, number: number): StoredGame {
  const path = gamesPath(folder, stage);
  const starts = startsOf(path);
  const read = (n: number) => decodeGameRecord(readRecord(path, starts[n]!), path);
  // Most logs have it at this place; others leave games out or mix their order.
  const likely = number < starts.length ? read(number) : undefined;
  if (likely?.game === number) return likely;
  for (let n = 0; n < starts.length; n++) {
    const record = read(n);
    if (record.game === number) return record;
  }
  throw new RequestRefused(404, `Stage "${stage}" has no stored game ${number}.`);
}

/** What was kept of the players' thoughts in a game; undefined: nothing was. */
export function storedAnalysis(folder: string, stage: string, number: number): GameAnalysis | undefined {
  const path = analysesPath(folder, stage);
  for (const start of startsOf(path)) {
    const analysis = decodeGameAnalysis(readRecord(path, start), path);
    if (analysis.game === number) return analysis;
  }
  return undefined;
}

/** The numbers of the games of a stage whose thoughts were kept. */
export function analysedNumbers(folder: string, stage: string): ReadonlySet<number> {
  const path = analysesPath(folder, stage);
  if (!existsSync(path)) return new Set();
  return new Set(startsOf(path).map((start) => decodeGameAnalysis(readRecord(path, start), path).game));
}
