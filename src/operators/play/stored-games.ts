import { decodeGameRecord, type StoredGame } from "../../formats/game-records.ts";
import type { RunFiles, StoredExamples } from "../run/run-files.ts";

/** The games that an earlier part of the run has stored for a stage that makes examples. */
export interface StoredGames {
  /** The records of all games. */
  readonly records: readonly StoredGame[];
  /** The number of the first game whose examples are still kept. */
  readonly first: number;
  /** The examples of this game and of those after it, in order, read as they are asked for. */
  readonly examples: Iterable<StoredExamples>;
}

/**
 * Reads the stored games of a stage with so many games in a generation. What a kill has left of a game, its record or its
 * examples alone, is deleted: the game is played again.
 */
export function storedGames(files: RunFiles, stage: string, perGeneration: number): StoredGames {
  const generations = files.exampleGenerations(stage);
  const first = (generations[0] ?? 0) * perGeneration;
  const kept = generations.reduce((sum, generation) => sum + files.countExamples(stage, generation), 0);
  const records = files.recordedGames(stage, first + kept).map((bytes) => decodeGameRecord(bytes, stage));
  const last = generations.at(-1);
  if (last !== undefined) files.truncateExamples(stage, last, records.length - last * perGeneration);
  const examples = function* (): Generator<StoredExamples, void, undefined> {
    for (const generation of generations) yield* files.readExamples(stage, generation);
  };
  return { records, first, examples: { [Symbol.iterator]: examples } };
}
