import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname, extname } from "node:path";
import {
  isDevice,
  linkedFile,
  syncFolder,
  unfinishedPath,
  writeAtomically,
  writeFully,
} from "../../../formats/files/atomic-file.ts";
import { FileNotWritten, writing } from "../../../formats/files/file-not-written.ts";
import { ZipWriter } from "../../../formats/zip-writer.ts";
import { GamesFileWriter, type Provenance } from "./games-file.ts";
import type { KeptGames } from "./kept-games.ts";

/** A file that games are written to, as they come. It is there only when it is whole. Throws FileNotWritten. */
export interface GameSink {
  /** Adds games; `groups` has all groups so far. */
  add(games: KeptGames, groups: readonly string[]): void;
  finish(groups: readonly string[], provenance: Provenance): void | Promise<void>;
  /** Leaves nothing behind, if the file is not finished. */
  abandon(): void;
}

/** The endings of files that games can be written to. */
export const sinkEndings = [".h5", ".sgf", ".zip"] as const;

/** Whether games are written to a file as SGF. */
export function writesSgf(path: string): boolean {
  return extname(path) !== ".h5";
}

/** Begins a file of games of a game with `players` seats; its ending says which. Throws FileNotWritten. */
export async function openGameSink(given: string, players: number): Promise<GameSink> {
  if (isDevice(given)) throw new FileNotWritten(given, "it is a device or a pipe", "name a file");
  const path = writing(given, () => linkedFile(given));
  // The name that was given says what is written, whatever the file behind a link is called.
  const ending = extname(given);
  if (ending === ".h5") return await GamesFileWriter.create(path, players);
  return ending === ".sgf" ? new SgfSink(path) : new ZipSink(path);
}

/** One collection in SGF. */
class SgfSink implements GameSink {
  readonly #path: string;
  readonly #temporary: string;
  /** Undefined once it is closed. */
  #file: number | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#temporary = unfinishedPath(path);
    this.#file = writing(path, () => openSync(this.#temporary, "w"));
  }

  add({ texts }: KeptGames): void {
    writing(this.#path, () => writeFully(this.#file!, Buffer.from(texts.join(""))));
  }

  finish(): void {
    writing(this.#path, () => {
      fsyncSync(this.#file!);
      this.#close();
      renameSync(this.#temporary, this.#path);
      syncFolder(dirname(this.#path));
    });
  }

  abandon(): void {
    this.#close();
    rmSync(this.#temporary, { force: true });
  }

  #close(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) closeSync(file);
  }
}

/** A zip with a collection in SGF for each group, `GROUP.sgf`. It is held in memory, deflated, until its end. */
class ZipSink implements GameSink {
  readonly #path: string;
  readonly #zip = new ZipWriter();

  constructor(path: string) {
    this.#path = path;
  }

  add({ groupOf, texts }: KeptGames, groups: readonly string[]): void {
    const byGroup = Map.groupBy(texts.keys(), (game) => groupOf[game]!);
    for (const [group, games] of byGroup) {
      const name = `${groups[group]!.replaceAll(/[^\p{L}\p{N}._ -]/gu, "_")}.sgf`;
      this.#zip.append(name, Buffer.from(games.map((game) => texts[game]!).join("")));
    }
  }

  finish(): void {
    writeAtomically(this.#path, this.#zip.finish());
  }

  abandon(): void {
    // Nothing is written before the end.
  }
}
