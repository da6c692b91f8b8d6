import { closeSync, fsyncSync, ftruncateSync, readSync } from "node:fs";
import { writeFully } from "./atomic-file.ts";
import { writing } from "./file-not-written.ts";
import { openOwn } from "./own-file.ts";

/** The end of a file of records or lines as it was when it was synced. */
export interface SyncedEnd {
  /** Where the last record or line begins; where it would begin, if there is none. */
  readonly last: number;
  /** The length of the file. */
  readonly bytes: number;
}

/**
 * An own file that grows at its end.
 *
 * A write may store a part of its bytes and then fail, and a sync that has failed may succeed falsely when it is called again (Linux
 * forgets the pages that it could not write). So the part is cut off, and after any failure the file takes nothing more: each further
 * call throws the same `FileNotWritten`. What is safe from a power cut is what `sync` has confirmed.
 */
export class AppendedFile {
  readonly path: string;
  readonly #file: number;
  #bytes: number;
  #synced: number | undefined;
  #failure: unknown;

  /** Takes over an open file of this length. */
  private constructor(path: string, file: number, bytes: number) {
    this.path = path;
    this.#file = file;
    this.#bytes = bytes;
  }

  /**
   * Opens a file and cuts what follows its first `bytes`, as found by `measure` in the open file; makes an empty one if there is none.
   * `confirmed` is the length that an earlier sync has confirmed. What follows it is written once more, since its sync may
   * have failed: otherwise the next one would confirm bytes that the disk has never got. Throws `FileNotWritten`, `FileCorrupt`.
   */
  static open(path: string, measure: (file: number) => Measured, confirmed = 0): AppendedFile {
    const file = writing(path, () => openOwn(path, "append"));
    try {
      const { bytes, size } = measure(file);
      if (bytes < size) writing(path, () => ftruncateSync(file, bytes));
      if (bytes > confirmed) writing(path, () => writeAgain(path, confirmed, bytes));
      return new AppendedFile(path, file, bytes);
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }

  /** The length of what was handed over to the operating system as a whole: it survives a kill. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Appends bytes. Throws `FileNotWritten`. */
  write(bytes: Uint8Array): void {
    this.#attempt(() => {
      try {
        writeFully(this.#file, bytes);
      } catch (error) {
        this.#cut();
        throw error;
      }
    });
    this.#bytes += bytes.length;
  }

  /** Makes all that was written survive a power cut. Throws `FileNotWritten`. */
  sync(): void {
    this.#attempt(() => {
      if (this.#synced === this.#bytes) return;
      fsyncSync(this.#file);
      this.#synced = this.#bytes;
    });
  }

  close(): void {
    closeSync(this.#file);
  }

  #attempt(step: () => void): void {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      writing(this.path, step);
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  /** Cuts the part of a write that has failed. If that fails too, the next opening does it. */
  #cut(): void {
    try {
      ftruncateSync(this.#file, this.#bytes);
    } catch {
      // The failed write is what the user has to know.
    }
  }
}

/** The bytes of a file that are to be kept, and its length. */
interface Measured {
  readonly bytes: number;
  readonly size: number;
}

const WINDOW = 1 << 20;

/** Writes what is in a file from one byte to another once more, in its place. */
function writeAgain(path: string, from: number, to: number): void {
  // Not the file that is open already: it appends, whatever the position.
  const file = openOwn(path, "change");
  try {
    const window = new Uint8Array(Math.min(WINDOW, to - from));
    for (let at = from; at < to;) {
      const count = readSync(file, window, 0, Math.min(window.length, to - at), at);
      if (count === 0) return;
      writeFully(file, window.subarray(0, count), at);
      at += count;
    }
  } finally {
    closeSync(file);
  }
}
