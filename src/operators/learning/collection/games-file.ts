import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import { syncFolder, unfinishedPath } from "../../../formats/files/atomic-file.ts";
import { FileCorrupt } from "../../../formats/files/file-corrupt.ts";
import { FileNotWritten, writing } from "../../../formats/files/file-not-written.ts";
import { type Hdf5Array, Hdf5Reader, Hdf5Writer } from "../../../formats/hdf5.ts";
import { isPlainMap } from "../../../formats/plain-map.ts";
import type { GameConfig } from "../../../games/registry.ts";
import type { GameCollection } from "../../run/items.ts";
import type { KeptGames } from "./kept-games.ts";

/** The format of .h5 files of games; docs/data.md describes it. */
const FORMAT = "ludoflow games 1";

/** Positions that offsets of 32 bits can number. */
const MOST_POSITIONS = 2 ** 32 - 1;

const ARRAYS = "moves offsets returns parts group_of starts/games starts/offsets starts/text".split(" ");

/** Where the games of a file are from. All parts are written as JSON. */
export interface Provenance {
  readonly version: string;
  readonly game: GameConfig;
  readonly sources: unknown;
  readonly filters: unknown;
  /** Counts of what was read, taken and left out. */
  readonly counts: unknown;
}

/**
 * Writes games to an HDF5 file, as they come. The memory that it needs does not depend on their number. The file is there
 * only when it is whole: until then it has another name in the same folder.
 */
export class GamesFileWriter {
  readonly #path: string;
  readonly #temporary: string;
  readonly #file: Hdf5Writer;
  readonly #players: number;
  readonly #arrays: Readonly<Record<"moves" | "offsets" | "returns" | "parts" | "groupOf", Hdf5Array>>;
  readonly #starts: Readonly<Record<"games" | "offsets" | "text", Hdf5Array>>;
  #games = 0;
  #positions = 0;
  #startBytes = 0;

  private constructor(path: string, temporary: string, file: Hdf5Writer, players: number) {
    this.#path = path;
    this.#temporary = temporary;
    this.#file = file;
    this.#players = players;
    this.#arrays = {
      moves: file.array("moves", "uint16"),
      offsets: file.array("offsets", "uint32"),
      returns: file.array("returns", "float32", players),
      parts: file.array("parts", "uint8"),
      groupOf: file.array("group_of", "uint8"),
    };
    this.#starts = {
      games: file.array("starts/games", "uint32"),
      offsets: file.array("starts/offsets", "uint32"),
      text: file.array("starts/text", "uint8"),
    };
    this.#arrays.offsets.append([0]);
    this.#starts.offsets.append([0]);
  }

  /** Begins a file for games with this number of seats. Throws FileNotWritten. */
  static async create(path: string, players: number): Promise<GamesFileWriter> {
    const temporary = unfinishedPath(path);
    // The library's own errors do not give the system's reasons so well.
    writing(path, () => closeSync(openSync(temporary, "w")));
    return new GamesFileWriter(path, temporary, await Hdf5Writer.create(temporary), players);
  }

  /** Adds games. Throws FileNotWritten. */
  add(games: KeptGames): void {
    this.#attempt(() => {
      const { groupOf, lengths, moves, parts, returns, starts } = games;
      if (this.#positions + moves.length > MOST_POSITIONS)
        throw new RangeError("a file holds 4,294,967,295 positions at most");
      this.#arrays.moves.append(moves);
      this.#arrays.returns.append(returns);
      this.#arrays.parts.append(parts);
      this.#arrays.groupOf.append(groupOf);
      const offsets = new Uint32Array(lengths.length);
      for (const [game, length] of lengths.entries()) offsets[game] = this.#positions += length;
      this.#arrays.offsets.append(offsets);
      for (const [game, start] of starts) {
        const text = new TextEncoder().encode(start);
        this.#starts.games.append([this.#games + game]);
        this.#starts.offsets.append([(this.#startBytes += text.length)]);
        this.#starts.text.append(text);
      }
      this.#games += lengths.length;
    });
  }

  /** Ends the file, reads it once more to see that it is whole, and gives it its name. Throws FileNotWritten. */
  async finish(groups: readonly string[], provenance: Provenance): Promise<void> {
    this.#attempt(() => {
      this.#file.texts("groups", groups);
      this.#file.attribute("format", FORMAT);
      this.#file.attribute("ludoflow", provenance.version);
      for (const name of ["game", "sources", "filters", "counts"] as const)
        this.#file.attribute(name, JSON.stringify(provenance[name]));
      this.#file.attribute("players", this.#players);
      this.#file.attribute("games", this.#games);
      this.#file.attribute("positions", this.#positions);
      this.#file.close();
    });
    await this.#verify();
    this.#attempt(() =>
      writing(this.#path, () => {
        const file = openSync(this.#temporary, "r+");
        try {
          fsyncSync(file);
        } finally {
          closeSync(file);
        }
        renameSync(this.#temporary, this.#path);
        syncFolder(dirname(this.#path));
      }),
    );
  }

  /** Leaves nothing behind, if the file is not finished. */
  abandon(): void {
    if (!existsSync(this.#temporary)) return;
    this.#file.abandon();
    rmSync(this.#temporary, { force: true });
  }

  /** Compares the checksums of all arrays as they are on the disk. */
  async #verify(): Promise<void> {
    let file: Hdf5Reader | undefined;
    try {
      file = await Hdf5Reader.open(this.#temporary);
      for (const path of ARRAYS) file.verify(path);
    } catch (error) {
      rmSync(this.#temporary, { force: true });
      throw this.#failure(error);
    } finally {
      file?.close();
    }
  }

  #attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.abandon();
      throw this.#failure(error);
    }
  }

  #failure(error: unknown): Error {
    if (error instanceof FileNotWritten || !(error instanceof Error)) return error as Error;
    const reason = /error message = '([^']*)'/.exec(error.message)?.[1] ?? error.message.split("\n")[0]!;
    return new FileNotWritten(this.#path, reason, "free some space or choose another folder", {
      cause: error,
    });
  }
}

/** A file of games as it is read. */
export interface GamesFile {
  readonly game: GameConfig;
  readonly collection: GameCollection;
}

/**
 * Reads an .h5 file of games into shared memory, and calls `step` after each part of it. Throws FileCorrupt for a file that is none,
 * or damaged. It may have no end for a damaged one: `readGamesFile` ends then.
 */
export async function gamesInFile(path: string, step: () => void): Promise<GamesFile> {
  let file: Hdf5Reader | undefined;
  try {
    file = await Hdf5Reader.open(path, step);
    const format = file.attribute("format");
    if (format !== FORMAT) throw new Error(`its format is "${String(format)}", not "${FORMAT}"`);
    const players = Number(file.attribute("players"));
    const offsets = file.read("offsets", "uint32");
    const moves = file.read("moves", "uint16");
    const games = offsets.length - 1;
    const collection: GameCollection = {
      source: basename(path),
      games,
      positions: moves.length,
      moves,
      offsets,
      returns: file.read("returns", "float32", players),
      parts: file.read("parts", "uint8"),
      groupOf: file.read("group_of", "uint8"),
      groups: file.texts("groups"),
      starts: startsOf(file),
    };
    check(collection, players);
    const game: unknown = JSON.parse(String(file.attribute("game")));
    if (!isPlainMap(game) || typeof game["rules"] !== "string") throw new Error("it names no game");
    return { game: game as unknown as GameConfig, collection };
  } catch (error) {
    if (!(error instanceof Error) || "syscall" in error) throw error;
    const fault = error.message.startsWith("HDF5-DIAG") ? "is no HDF5 file, or damaged" : error.message;
    throw new FileCorrupt(path, `is not a file of games: ${fault}`);
  } finally {
    file?.close();
  }
}

function startsOf(file: Hdf5Reader): Map<number, string> {
  const games = file.read("starts/games", "uint32");
  const offsets = file.read("starts/offsets", "uint32");
  // Texts of shared memory cannot be decoded.
  const text = file.read("starts/text", "uint8").slice();
  const starts = new Map<number, string>();
  for (const [index, game] of games.entries())
    starts.set(game, new TextDecoder().decode(text.subarray(offsets[index], offsets[index + 1])));
  return starts;
}

/** Throws if arrays do not fit each other. */
function check(
  { games, groupOf, groups, moves, offsets, parts, returns }: GameCollection,
  players: number,
): void {
  const fits =
    games >= 0 &&
    offsets[0] === 0 &&
    offsets[games] === moves.length &&
    offsets.every((offset, game) => game === 0 || offset >= offsets[game - 1]!) &&
    returns.length === games * players &&
    parts.length === games &&
    parts.every((part) => part < 3) &&
    groupOf.length === games &&
    groupOf.every((group) => group < groups.length);
  if (!fits) throw new Error("its arrays do not fit each other");
}
