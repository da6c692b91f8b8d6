import { existsSync, statSync } from "node:fs";
import { basename, dirname, extname, join, relative } from "node:path";
import { FileTooLarge, readBounded } from "../formats/files/bounded-file.ts";
import type { StoredGame } from "../formats/game-records.ts";
import { readSgfCollection } from "../formats/sgf/collection.ts";
import { SgfInvalid } from "../formats/sgf/faults.ts";
import { type Game, OVER } from "../games/game.ts";
import { type GameConfig, openConfiguredGame } from "../games/registry.ts";
import { readSgfRecord, SgfGameInvalid } from "../games/sgf-games.ts";
import { MANIFEST, openRunFolder } from "../graph/folder/run-folder.ts";
import { recordedGame } from "../graph/recorded-game.ts";
import { counted } from "../messages/counted.ts";
import { MOST_SGF_BYTES } from "../operators/learning/collection/reading-task.ts";
import { UsageError } from "../messages/usage-error.ts";

/** A game that a file or a run has. */
export interface GameOfFile {
  readonly game: Game<unknown>;
  readonly config: GameConfig;
  /** The stage that played it; for other files their name. */
  readonly stage: string;
  /** Its source: the name of the run or of the file. */
  readonly from: string;
  readonly start: unknown;
  readonly record: StoredGame;
  /** What the file says of the result of a game that does not go to its end. */
  readonly result?: string;
  /** What was left out of the game or read in another way. */
  readonly notes: readonly string[];
}

/**
 * Reads the game with this number, counted from 0, of a run or of a file: the folder of a run, with the stage that played
 * it or the first stage with games; a file of game records (`RUN/games/STAGE.games`); a file in SGF. Throws UsageError and what the
 * readers of these files throw.
 */
export function readGameFile(path: string, stage: string | undefined, number: number): GameOfFile {
  if (!existsSync(path)) throw new UsageError(`no such file or folder "${path}"`);
  if (statSync(path).isDirectory()) return gameOfRun(path, stage, number);
  if (stage !== undefined) throw new UsageError(`--stage chooses a stage of a run, and ${path} is a file`);
  if (extname(path) === ".games") return gameOfRecords(path, number);
  return gameOfSgf(path, number);
}

/** A game of a collection in SGF, read leniently. */
function gameOfSgf(path: string, number: number): GameOfFile {
  const from = basename(path);
  const { games, warnings } = refused(path, () => readSgfCollection(readBounded(path, MOST_SGF_BYTES)));
  const tree = games[number];
  if (tree === undefined)
    throw new UsageError(
      `${path} has ${counted(games.length, "game")}, numbered from 0; there is no game ${number}`,
    );
  const { actions, config, game, notes, players, result, returns, start } = refused(path, () =>
    readSgfRecord(tree),
  );
  const state: unknown = game.initial();
  game.copy(start, state);
  for (const action of actions) game.play(state, action);
  const scores = new Float64Array(game.players);
  game.returns(state, scores);
  const over = game.toMove(state) === OVER;
  return {
    game: game as Game<unknown>,
    config,
    stage: from,
    from,
    start,
    record: {
      game: number,
      generation: 0,
      seats: players,
      actions: Int32Array.from(actions),
      values: new Float64Array(),
      returns: over ? [...scores] : (returns ?? [...scores]),
      facts: {},
    },
    ...(over ? {} : { result: result === "" ? "not finished" : result }),
    notes: [...warnings.map(({ message }) => message), ...notes],
  };
}

/** Reads of a file. What is wrong with it is thrown as UsageError. */
function refused<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SgfInvalid || error instanceof SgfGameInvalid || error instanceof FileTooLarge)
      throw new UsageError(`${path}: ${error.message}`);
    throw error;
  }
}

function gameOfRun(folder: string, stage: string | undefined, number: number): GameOfFile {
  const { experiment, manifest } = openRunFolder(folder);
  const { rules, ...options } = experiment.game;
  const { config, game } = openConfiguredGame(rules, options);
  const found = recordedGame(folder, experiment, stage, number);
  return {
    game: game as Game<unknown>,
    config,
    stage: found.stage,
    from: manifest.name,
    start: game.initial(),
    record: found.record,
    notes: [],
  };
}

/** A game of a file of records, which names its game only together with the run around it. */
function gameOfRecords(path: string, number: number): GameOfFile {
  for (let folder = dirname(path), deeper = ""; folder !== deeper; deeper = folder, folder = dirname(folder))
    if (existsSync(join(folder, MANIFEST))) {
      const stage = relative(join(folder, "games"), path).slice(0, -extname(path).length);
      return gameOfRun(folder, stage, number);
    }
  throw new UsageError(
    `${basename(path)} belongs to no run: records do not name their game, and no folder above ${path} is the folder of a run`,
  );
}
