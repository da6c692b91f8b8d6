import { existsSync, statSync } from "node:fs";
import { basename, extname, join } from "node:path";
import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { FileNotWritten } from "../formats/files/file-not-written.ts";
import { sgfFormatOf } from "../games/sgf-games.ts";
import { counted } from "../messages/counted.ts";
import { Type } from "../schema.ts";
import { WorkerCrashed } from "../workers/worker-thread.ts";
import { collectionRecord } from "./learning/collection/collection-record.ts";
import { joinGames } from "./learning/collection/collection-of.ts";
import { filterSettings } from "./learning/collection/collection-settings.ts";
import { filterMistake } from "./learning/collection/game-filter.ts";
import type { KeptGames } from "./learning/collection/kept-games.ts";
import { GamesReading } from "./learning/collection/read-games.ts";
import { kindOfFile, type GamesSource } from "./learning/collection/sources.ts";
import { operator, type SettingsOf, type StageEnv } from "./operator.ts";
import type { Complaint } from "./run/complaint.ts";
import type { GameCollection } from "./run/items.ts";
import { workerThreads } from "./run/parallelism.ts";
import { type RunError, RunFailed } from "./run/run-error.ts";

const settings = {
  sources: Type.Array(Type.String(), {
    minItems: 1,
    description:
      "Folders, files in SGF, zips of them, and .h5 files of `ludoflow convert`, relative to this file's folder. Folders are read with all folders in them.",
  }),
  ...filterSettings,
};

type Settings = SettingsOf<typeof settings>;

/** Reads recorded games of others, to learn from them. */
export const sgf = operator({
  use: "sgf",
  description:
    "Reads recorded games from files in SGF, once, on worker threads, and divides them into training, validation and test. Files and games that cannot be used are left out, counted and listed with the reason.",
  example: "games: { use: sgf, sources: [archive], leastMoves: 20 }",
  settings,
  inputs: {},
  output: "collection",
  check: (settings: Settings, { opened }) => {
    const complaints: Complaint[] = settings.sources.flatMap((path, index) => {
      const key = `sources/${index}`;
      if (!existsSync(path)) return [{ key, message: `no such file or folder "${path}"` }];
      if (!existsSync(join(path, "manifest.json"))) return [];
      const message = `"${path}" is the folder of a run; write its games to a file with ludoflow convert, and name that`;
      return [{ key, message }];
    });
    const { config } = configOf(opened);
    if (sgfFormatOf(config) === undefined && !settings.sources.every((path) => kindOfFile(path) === "h5"))
      complaints.push({
        key: "sources",
        message: `${config.rules} has no form of games in SGF; name .h5 files`,
      });
    const mistake = filterMistake(settings);
    if (mistake !== undefined) complaints.push({ key: mistake[0], message: mistake[1] });
    return complaints;
  },
  bounds: (_settings: Settings, { opened }) => [
    `all games are in memory`,
    `${workerThreads(opened.experiment)} threads read, with 2 tasks each under way`,
  ],
  build: (settings: Settings, _inputs, env) =>
    Effect.succeed(Stream.fromEffect(read(settings, env)).pipe(Stream.interruptWhen(env.stop.wait))),
});

const configOf = ({ experiment, game }: StageEnv["opened"]) => ({
  config: experiment.game,
  players: game.players,
});

/** Reads the sources, and compares the games with those of the run's earlier parts. */
const read = ({ sources, ...filters }: Settings, env: StageEnv): Effect.Effect<GameCollection, RunError> =>
  Effect.gen(function* () {
    const { emit, files, opened, stage } = env;
    const { config, players } = configOf(opened);
    const record = collectionRecord(files.folder, stage);
    const reading = new GamesReading(
      {
        sources: named(sources),
        game: config,
        players,
        filters,
        texts: false,
        threads: workerThreads(opened.experiment),
      },
      (each) => record.leaveOut(each),
    );
    const batches: KeptGames[] = [];
    yield* Stream.runForEach(reading.games(), (games) => Effect.sync(() => void batches.push(games))).pipe(
      Effect.mapError((error) => failure(stage, error)),
    );
    const summary = reading.summary();
    const { games, groups, leftOut } = summary;
    const reasons = Object.entries(leftOut).map(([reason, count]) => `${reason} ${count}`);
    if (games === 0)
      return yield* new RunFailed({ stage, reason: `no game is taken; left out: ${reasons.join(", ")}` });
    const collection = joinGames(stage, players, groups, batches);
    const changed = yield* Effect.try({
      try: () => record.finish(collection, summary),
      catch: (error) => failure(stage, error),
    });
    if (changed !== undefined) return yield* new RunFailed({ stage, reason: changed });
    emit({ type: "progress", stage, done: games, total: games, unit: "games" });
    const without = reasons.length === 0 ? "nothing is left out" : `left out: ${reasons.join(", ")}`;
    const message = `${counted(games, "game")}, ${counted(summary.positions, "position")} from files; ${without}`;
    emit({ type: "note", level: "info", stage, message });
    return collection;
  });

function failure(stage: string, error: unknown): RunError {
  if (error instanceof WorkerCrashed) return error;
  // An error of the disk is reported as such, and ends the run as elsewhere.
  if (error instanceof FileNotWritten) throw error;
  return new RunFailed({ stage, reason: error instanceof Error ? error.message : String(error) });
}

/** The sources by name: that of the file or folder, or the whole path if two have one name. */
function named(paths: readonly string[]): GamesSource[] {
  const names = new Set<string>();
  return paths.map((path) => {
    const short = statSync(path).isDirectory() ? basename(path) : basename(path, extname(path));
    const name = names.has(short) ? path : short;
    names.add(name);
    return { name, path };
  });
}
