import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { writeAtomically } from "../formats/files/atomic-file.ts";
import { writing } from "../formats/files/file-not-written.ts";
import { sha256 } from "./sha256.ts";

/** Bytes of weights that a joiner keeps on disk; those that were not used for the longest time go first. */
const MOST_BYTES = 2 << 30;

/**
 * The weights that a joiner has had, as files named by their SHA-256 in a folder: a joiner that starts again, and a second one
 * on the machine, need not ask the server for them.
 */
export class WeightsCache {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Weights; undefined where they are not there, or damaged. */
  read(hash: string): Uint8Array<ArrayBuffer> | undefined {
    const path = join(this.#folder, hash);
    if (!/^[0-9a-f]{64}$/.test(hash) || !existsSync(path)) return undefined;
    const bytes = new Uint8Array(readFileSync(path));
    if (sha256(bytes) !== hash) {
      rmSync(path, { force: true });
      return undefined;
    }
    utimesSync(path, new Date(), new Date());
    return bytes;
  }

  /** Keeps weights. Throws FileNotWritten. */
  write(hash: string, bytes: Uint8Array): void {
    writing(this.#folder, () => mkdirSync(this.#folder, { recursive: true }));
    writeAtomically(join(this.#folder, hash), bytes);
    this.#makeRoom();
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
  return join(cache === undefined || cache === "" ? join(homedir(), ".cache") : cache, "ludoflow", "weights");
}
