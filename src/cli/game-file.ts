import { existsSync, statSync } from "node:fs";
import { basename, dirname, extname, join, relative } from "node:path";
import type { StoredGame } from "../formats/game-records.ts";
import type { Game } from "../games/game.ts";
import { type GameConfig, openConfiguredGame } from "../games/registry.ts";
import { MANIFEST, openRunFolder } from "../graph/folder/run-folder.ts";
import { recordedGame } from "../graph/recorded-game.ts";
import { UsageError } from "./complaint.ts";

/** A game that a file or a run has. */
export interface GameOfFile {
  readonly game: Game<unknown>;
  readonly config: GameConfig;
  /** The stage that played it; for other files their name. */
  readonly stage: string;
  /** Names where it is from: the name of the run or of the file. */
  readonly from: string;
  readonly start: unknown;
  readonly record: StoredGame;
}

/**
 * Reads the game with this number, counted from 0, of a run or of a file: the folder of a run, with the stage that played
 * it or the first stage with games; a file of game records (`RUN/games/STAGE.games`). Throws UsageError and what the
 * readers of these files throw.
 */
export function readGameFile(path: string, stage: string | undefined, number: number): GameOfFile {
  if (!existsSync(path)) throw new UsageError(`no such file or folder "${path}"`);
  if (statSync(path).isDirectory()) return gameOfRun(path, stage, number);
  if (stage !== undefined) throw new UsageError(`--stage chooses a stage of a run, and ${path} is a file`);
  if (extname(path) === ".games") return gameOfRecords(path, number);
  throw new UsageError(
    `${path}: not a file of games; name the folder of a run or a file of its records (.games)`,
  );
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
  };
}

/** A game of a file of records, which tells the game only together with the run around it. */
function gameOfRecords(path: string, number: number): GameOfFile {
  for (let folder = dirname(path), deeper = ""; folder !== deeper; deeper = folder, folder = dirname(folder))
    if (existsSync(join(folder, MANIFEST))) {
      const stage = relative(join(folder, "games"), path).slice(0, -extname(path).length);
      return gameOfRun(folder, stage, number);
    }
  throw new UsageError(
    `${basename(path)} is of no run: records do not tell which game they are of, and no folder above ${path} is the folder of a run`,
  );
}
