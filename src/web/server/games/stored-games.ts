import { existsSync, statSync } from "node:fs";
import { decodeGameRecord, type StoredGame } from "../../../formats/game-records.ts";
import { decodeGameAnalysis, type GameAnalysis } from "../../../formats/game-analyses.ts";
import { GrowingLog, readRecord } from "../../../formats/record-log.ts";
import type { Experiment } from "../../../operators/experiment/open-experiment.ts";
import { analysesPath, gamesPath } from "../../../operators/run/run-files.ts";
import type { StageGames } from "../../views/game-views.ts";
import { RequestRefused } from "../responses.ts";

/** Where the records of a log begin, as it was when it was read. */
interface LogIndex {
  readonly stamp: string;
  readonly log: GrowingLog;
  readonly starts: readonly number[];
  /** Of analyses: by the number of a game, where its record begins. Made when it is first asked for. */
  byGame?: ReadonlyMap<number, number>;
}

/** The most logs whose places are kept. */
const MOST_LOGS = 16;
const indexes = new Map<string, LogIndex>();

/** The index of a log, which is read once for each change of it. Throws `FileCorrupt`. */
function indexOf(path: string): LogIndex {
  // A request may name a stage by a text that no file can have as its name: `statSync` throws then.
  const stat = existsSync(path) ? statSync(path, { throwIfNoEntry: false }) : undefined;
  if (stat === undefined) return { stamp: "", log: new GrowingLog(path), starts: [] };
  const stamp = `${stat.size}:${stat.mtimeMs}`;
  const known = indexes.get(path);
  if (known?.stamp === stamp) return known;
  const log = known?.log ?? new GrowingLog(path);
  indexes.delete(path);
  const index = { stamp, log, starts: log.starts() };
  indexes.set(path, index);
  if (indexes.size > MOST_LOGS) indexes.delete(indexes.keys().next().value!);
  return index;
}

/** The stages of a run that have stored games, in the order of its file. */
export function stagesWithGames(folder: string, { graph }: Experiment): StageGames[] {
  return Object.keys(graph).flatMap((stage) => {
    const path = gamesPath(folder, stage);
    const games = indexOf(path).starts.length;
    return games === 0 ? [] : [{ stage, games, newest: statSync(path).mtimeMs }];
  });
}

/** Some games of a stage, the newest first; `from` 0 is the newest. */
export function newestGames(folder: string, stage: string, from: number, count: number): StoredGame[] {
  const path = gamesPath(folder, stage);
  const { starts } = indexOf(path);
  const end = Math.max(0, starts.length - from);
  return starts
    .slice(Math.max(0, end - count), end)
    .map((start) => decodeGameRecord(readRecord(path, start), path))
    .toReversed();
}

/** The game of a stage with this number. Throws RequestRefused if there is none. */
export function storedGame(folder: string, stage: string, number: number): StoredGame {
  const path = gamesPath(folder, stage);
  const { starts } = indexOf(path);
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
  const start = analysesByGame(path).get(number);
  return start === undefined ? undefined : decodeGameAnalysis(readRecord(path, start), path);
}

/** The numbers of the games of a stage whose thoughts were kept. */
export function analysedNumbers(folder: string, stage: string): ReadonlySet<number> {
  return new Set(analysesByGame(analysesPath(folder, stage)).keys());
}

/** By the number of a game, where its analysis begins. */
function analysesByGame(path: string): ReadonlyMap<number, number> {
  const index = indexOf(path);
  return (index.byGame ??= new Map(
    index.starts.map((start) => [decodeGameAnalysis(readRecord(path, start), path).game, start]),
  ));
}
