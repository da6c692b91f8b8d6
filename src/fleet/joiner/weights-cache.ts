import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { homeFolder } from "../../formats/files/home-folder.ts";
import { readOwn } from "../../formats/files/own-file.ts";
import { sha256 } from "../../formats/sha256.ts";

/** Bytes of weights that a joiner keeps on disk; those that were not used for the longest time go first. */
const MOST_BYTES = 2 * 2 ** 30;

/**
 * The weights that a joiner has had, as files named by their SHA-256 in a folder: a joiner that starts again, and a second one
 * on the machine, need not ask the server for them.
 */
export class WeightsCache {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Weights; undefined if they are missing or damaged. */
  read(hash: string): Uint8Array<ArrayBuffer> | undefined {
    const path = join(this.#folder, hash);
    if (!/^[0-9a-f]{64}$/.test(hash)) return undefined;
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      bytes = new Uint8Array(readOwn(path));
      utimesSync(path, new Date(), new Date());
    } catch {
      // Not there, or removed by another joiner a moment ago.
      return undefined;
    }
    if (sha256(bytes) === hash) return bytes;
    rmSync(path, { force: true });
    return undefined;
  }

  /** Keeps weights, if the disk takes them: without them a joiner plays, too. */
  write(hash: string, bytes: Uint8Array): void {
    // Joiners of one machine share the folder, so each writes under its own name.
    const unfinished = join(this.#folder, `${hash}.${process.pid}`);
    try {
      mkdirSync(this.#folder, { recursive: true });
    } catch {
      return;
    }
    try {
      writeFileSync(unfinished, bytes);
      renameSync(unfinished, join(this.#folder, hash));
      this.#makeRoom();
    } catch {
      rmSync(unfinished, { force: true });
    }
  }

  #makeRoom(): void {
    const files = readdirSync(this.#folder)
      .flatMap((name) => {
        const path = join(this.#folder, name);
        const found = statSync(path, { throwIfNoEntry: false });
        return found === undefined ? [] : [{ path, size: found.size, used: found.mtimeMs }];
      })
      .toSorted((a, b) => b.used - a.used);
    let bytes = 0;
    for (const { path, size } of files) if ((bytes += size) > MOST_BYTES) rmSync(path, { force: true });
  }
}

/** The folder of the cache: `ludoflow/weights` in XDG_CACHE_HOME (by default ~/.cache). */
export function cacheFolder(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const { XDG_CACHE_HOME: cache } = environment;
  return join(
    cache === undefined || cache === "" ? join(homeFolder(), ".cache") : cache,
    "ludoflow",
    "weights",
  );
}
