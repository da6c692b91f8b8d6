import { decodeGameAnalysis, type GameAnalysis } from "../../formats/game-analyses.ts";
import { decodeGameRecord, type StoredGame } from "../../formats/game-records.ts";
import type { Game } from "../../games/game.ts";
import { analysesPath, gamesPath, readLog } from "../../operators/run/run-files.ts";
import { experimentSettings } from "../experiment-settings.ts";
import { learnedText } from "../matches.ts";
import type { RunData } from "../run-data.ts";
import { gameOfRun } from "../run-game.ts";
import { valuesAreShares } from "./value-shares.ts";

/** A stored game with its analysis. */
export interface AnalysedGame {
  readonly stage: string;
  readonly game: Game<unknown>;
  readonly record: StoredGame;
  readonly analysis: GameAnalysis;
  /** The amount of learning before the game: `40,000 steps`; undefined if there was none. */
  readonly learned: string | undefined;
  /** The state in which the game began; absent if that is the start of its rules. */
  readonly start?: unknown;
  /** By seat: whether the values of its decisions are shares of a win. */
  readonly shares: readonly boolean[];
  /** Absent if the analysis is of the players' own searches. */
  readonly review?: GameReview;
}

/** The analysis by an agent of a game that it has not played. */
export interface GameReview {
  /** The agent. */
  readonly by: string;
  /** By ply, counted from 0: by how much the mover expected less after its move than after the best move. */
  readonly losses: ReadonlyMap<number, number>;
  /** The plies, counted from 0, whose loss few simulations found. */
  readonly uncertain: ReadonlySet<number>;
  /** The plies of the largest mistakes, the largest first. */
  readonly mistakes: readonly number[];
  /** What is known of the result of a game whose record ends before its end. */
  readonly result?: string;
}

/**
 * By stage, the first games of its newest round that were analysed, at most `most` a stage. None if the run's
 * settings are missing or name a game that this program does not know. Throws `FileCorrupt`.
 */
export function analysedGames(run: RunData, most: number): AnalysedGame[] {
  const settings = experimentSettings(run);
  if (settings === undefined) return [];
  const game = gameOfRun(run);
  if (game === undefined) return [];
  return Object.keys(settings.graph).flatMap((stage) => {
    const path = analysesPath(run.folder, stage);
    const analyses = readLog(path).map((bytes) => decodeGameAnalysis(bytes, path));
    if (analyses.length === 0) return [];
    const records = recordsOf(run.folder, stage);
    // An analysis is written before its game: the last may still be without it.
    const known = analyses.flatMap((analysis) => {
      const record = records.get(analysis.game);
      return record === undefined ? [] : [{ analysis, record }];
    });
    const newest = Math.max(...known.map(({ record }) => record.generation));
    return known
      .filter(({ record }) => record.generation === newest)
      .slice(0, most)
      .map(({ analysis, record }) => ({
        stage,
        game,
        record,
        analysis,
        shares: record.seats.map((agent) => valuesAreShares(settings, game, agent)),
        learned: learnedAt(run, stage, record.generation),
      }));
  });
}

function recordsOf(folder: string, stage: string): Map<number, StoredGame> {
  const path = gamesPath(folder, stage);
  return new Map(
    readLog(path).map((bytes) => {
      const record = decodeGameRecord(bytes, path);
      return [record.game, record];
    }),
  );
}

function learnedAt({ events }: RunData, stage: string, learned: number): string | undefined {
  if (learned === 0) return undefined;
  for (const event of events)
    if ("stage" in event && event.stage === stage && "unit" in event && "learned" in event)
      if (event.unit !== undefined && event.learned === learned)
        return learnedText({ learned, unit: event.unit });
  return learned.toLocaleString("en-US");
}
