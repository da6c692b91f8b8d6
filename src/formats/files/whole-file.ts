import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { FileCorrupt } from "./file-corrupt.ts";

/**
 * The bytes of a file of any size, in a buffer of their own: `readFileSync` stops at 2 GiB and may give bytes that are
 * not aligned. `file` is the open file, which is closed then; own files are opened by `openOwn`. Throws the system's error if the
 * file cannot be read, FileCorrupt if it shrinks meanwhile.
 */
export function readWholeFile(path: string, file = openSync(path, "r")): Uint8Array<ArrayBuffer> {
  try {
    const bytes = new Uint8Array(fstatSync(file).size);
    for (let done = 0; done < bytes.length;) {
      const count = readSync(file, bytes, done, Math.min(1 << 30, bytes.length - done), done);
      if (count === 0) throw new FileCorrupt(path, "became shorter while it was read");
      done += count;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}
