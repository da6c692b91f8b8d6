import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { decodeGameRecord, type StoredGame } from "../../../formats/game-records.ts";
import { RecordLogReader } from "../../../formats/record-log.ts";
import { isUnfinished } from "../../../formats/files/atomic-file.ts";
import { FileCorrupt } from "../../../formats/files/file-corrupt.ts";
import { openOwn } from "../../../formats/files/own-file.ts";
import { readZip, ZipInvalid } from "../../../formats/zip-reader.ts";
import type { GameConfig } from "../../../games/registry.ts";
import type { StageConfig } from "../../experiment/open-experiment.ts";
import { gamesPath } from "../../run/run-files.ts";
import type { FileSum } from "./batch.ts";
import { readGamesFile } from "./read-games-file.ts";
import type { LeftOut } from "./left-out.ts";
import { MOST_SGF_BYTES, type MovesOfFile, type ReadingTask, type SgfFile } from "./reading-task.ts";

/** Where games are read from: a file or a folder, or the recorded games of a run's stages. */
export interface GamesSource {
  /** Its name in lists and groups. */
  readonly name: string;
  readonly path: string;
  /** Of a run: the files of game records. Absent: the path is a file or a folder of files. */
  readonly records?: readonly GameRecords[];
}

/** A stage's file of game records. */
export interface GameRecords {
  readonly path: string;
  /** Whether games may begin with moves that were given to their players. */
  readonly openings: boolean;
}

/** The files of the stages of a run that have recorded games. */
export function recordedStages(folder: string, graph: Readonly<Record<string, StageConfig>>): GameRecords[] {
  return Object.entries(graph)
    .map(([stage, config]) => ({ path: gamesPath(folder, stage), openings: hasDrawnOpenings(config) }))
    .filter((file) => existsSync(file.path));
}

/** Whether a stage gives its players first moves that are not those of a book alone. */
function hasDrawnOpenings({ openings }: StageConfig): boolean {
  return Array.isArray(openings) || Object(openings).plies !== undefined;
}

/** A file that games are read from. `kind` follows from its ending. */
export type FileKind = "text" | "zip" | "h5";

/** The kind of a file by its name; undefined if it is not a file of games. */
export function kindOfFile(name: string): FileKind | undefined {
  return { ".sgf": "text", ".blksgf": "text", ".zip": "zip", ".h5": "h5" }[extname(name).toLowerCase()] as
    | FileKind
    | undefined;
}

/** What a source gives, in order: work for a thread, a file that is left out, the SHA-256 of a file. */
export type SourcePart = ReadingTask | { readonly leftOut: LeftOut } | { readonly sum: FileSum };

/** Bytes, files and games that a task has about: enough that passing it to a thread has a negligible cost. */
const TASK_BYTES = 1 << 20;
const TASK_FILES = 256;
const TASK_GAMES = 1000;

/**
 * Goes through a source, in an order that its names alone give. Folders are gone through with all folders in them; links
 * to folders are not followed. Files in folders that are being written are passed over: those of the paths `written`, and
 * unfinished ones.
 */
export async function* partsOf(
  source: GamesSource,
  game: GameConfig,
  written: readonly string[] = [],
): AsyncGenerator<SourcePart, void, undefined> {
  const { name, path, records } = source;
  if (records !== undefined) {
    for (const record of records) {
      const label = `${name}/${basename(record.path)}`;
      yield {
        sum: { source: name, label, sha256: await sha256Of(record.path, openOwn(record.path, "read")) },
      };
      yield* recordParts(record, label, name);
    }
    return;
  }
  const tasks = new SgfTasks();
  const folder = statSync(path).isDirectory();
  const label = name.endsWith(extname(path)) ? name : name + extname(path);
  for (const file of folder ? filesIn(path, name, written) : [{ label, path }]) {
    if ("leftOut" in file) {
      yield* tasks.end();
      yield file;
      continue;
    }
    // A file that the user names is taken as SGF whatever its name.
    const kind = kindOfFile(file.path) ?? (folder ? undefined : "text");
    if (kind === "text") {
      yield* tasks.add({ label: file.label, source: name, content: { path: file.path } }, sizeOf(file.path));
      continue;
    }
    yield* tasks.end();
    if (kind === "zip") yield* zipParts(file.path, file.label, name, tasks);
    else if (kind === "h5") yield* fileParts(file.path, file.label, name, game);
    else
      yield leftOut(
        file.label,
        "not a file of games",
        "its name ends neither in .sgf nor in .zip nor in .h5",
      );
  }
  yield* tasks.end();
}

/** Gathers small files for a task. */
class SgfTasks {
  #files: SgfFile[] = [];
  #bytes = 0;

  *add(file: SgfFile, bytes: number): Generator<ReadingTask, void, undefined> {
    if (this.#files.length === TASK_FILES || this.#bytes + bytes > TASK_BYTES) yield* this.end();
    this.#files.push(file);
    this.#bytes += bytes;
  }

  *end(): Generator<ReadingTask, void, undefined> {
    if (this.#files.length > 0) yield { files: this.#files };
    this.#files = [];
    this.#bytes = 0;
  }
}

/** The files in a folder and its folders, by name, and the entries that are not files. */
function* filesIn(
  folder: string,
  label: string,
  written: readonly string[],
): Generator<
  { readonly label: string; readonly path: string } | { readonly leftOut: LeftOut },
  void,
  undefined
> {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    yield leftOut(label, "cannot be read", (error as Error).message);
    return;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (isUnfinished(entry.name) || written.includes(resolve(path))) continue;
    const inner = `${label}/${entry.name}`;
    if (entry.isDirectory()) yield* filesIn(path, inner, written);
    else if (entry.isFile() || (entry.isSymbolicLink() && isFile(path))) yield { label: inner, path };
    else yield leftOut(inner, "not a file of games", "not a regular file or a link to one");
  }
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** The files of a zip. */
async function* zipParts(
  path: string,
  label: string,
  source: string,
  tasks: SgfTasks,
): AsyncGenerator<SourcePart, void, undefined> {
  try {
    yield { sum: { source, label, sha256: await sha256Of(path) } };
    for await (const file of readZip(path, () => true, MOST_SGF_BYTES)) {
      const inner = `${label}/${file.name}`;
      if ("unsafe" in file) yield leftOut(inner, "unsafe zip", file.unsafe);
      else if (kindOfFile(file.name) !== "text")
        yield leftOut(inner, "not a file of games", "of the files in a zip, those that end in .sgf are read");
      else if ("damaged" in file) yield leftOut(inner, "damaged zip", file.damaged);
      else if ("tooLong" in file) yield leftOut(inner, "too long", file.tooLong);
      else yield* tasks.add({ label: inner, source, content: { packed: file.packed } }, file.packed.size);
    }
  } catch (error) {
    if (error instanceof ZipInvalid) yield leftOut(label, "damaged zip", error.message);
    else if (isOfSystem(error)) yield leftOut(label, "cannot be read", error.message);
    else throw error;
  }
  yield* tasks.end();
}

/** The games of an .h5 file. */
async function* fileParts(
  path: string,
  label: string,
  source: string,
  game: GameConfig,
): AsyncGenerator<SourcePart, void, undefined> {
  try {
    yield { sum: { source, label, sha256: await sha256Of(path) } };
    const { collection, game: of } = await readGamesFile(path);
    if (of.rules !== game.rules) {
      yield leftOut(label, "another game", `the file is of ${of.rules}, not of ${game.rules}`);
      return;
    }
    const { games, groupOf, groups, moves, offsets, returns, starts } = collection;
    const players = returns.length / Math.max(1, games);
    for (let from = 0; from < games; from += TASK_GAMES) {
      const some = Array.from({ length: Math.min(TASK_GAMES, games - from) }, (_, i) => {
        const number = from + i;
        const start = starts.get(number);
        return {
          place: number,
          moves: moves.subarray(offsets[number], offsets[number + 1]),
          returns: [...returns.subarray(number * players, (number + 1) * players)],
          ...(start === undefined ? {} : { start }),
          group: groups[groupOf[number]!]!,
          players: [],
        };
      });
      yield { moves: { label, source, games: some } };
    }
  } catch (error) {
    if (error instanceof FileCorrupt) yield leftOut(label, "damaged collection", error.message);
    else if (isOfSystem(error)) yield leftOut(label, "cannot be read", error.message);
    else throw error;
  }
}

/** The recorded games of a stage. Games without a sound end are left out. */
function* recordParts(
  { openings, path }: GameRecords,
  label: string,
  source: string,
): Generator<SourcePart, void, undefined> {
  const log = new RecordLogReader(path);
  let games: MovesOfFile["games"][number][] = [];
  try {
    for (const bytes of log) {
      const record = decodeGameRecord(bytes, path);
      const { actions, dispute, failure, game, returns, seats, values } = record;
      if (failure !== undefined) yield leftOut(`${label}:${game}`, "broken off", failure.message);
      else if (dispute !== undefined) yield leftOut(`${label}:${game}`, "disputed", disputed(record));
      else
        games.push({
          place: game,
          moves: actions,
          returns,
          players: seats,
          // Given moves have no values.
          ...(openings ? { decided: values.length / seats.length } : {}),
        });
      if (games.length < TASK_GAMES) continue;
      yield { moves: { label, source, games } };
      games = [];
    }
    if (games.length > 0) yield { moves: { label, source, games } };
  } finally {
    log.close();
  }
}

function disputed({ dispute, seats }: StoredGame): string {
  return `${seats[dispute!.seat]!}: ${dispute!.message}`;
}

function leftOut(where: string, reason: LeftOut["reason"], why: string): { readonly leftOut: LeftOut } {
  return { leftOut: { where, reason, why } };
}

/** The checksum of a file; `file` is the open one, if it is one of our own. */
async function sha256Of(path: string, file?: number): Promise<string> {
  const sum = createHash("sha256");
  const open = file === undefined ? {} : { fd: file };
  for await (const piece of createReadStream(path, { ...open, highWaterMark: TASK_BYTES }))
    sum.update(piece as Uint8Array);
  return sum.digest("hex");
}

function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}
