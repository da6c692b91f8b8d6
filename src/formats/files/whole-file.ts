import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { FileCorrupt } from "./file-corrupt.ts";

/**
 * The bytes of a file of any size, in a buffer of their own: `readFileSync` stops at 2 GiB and may give bytes that are
 * not aligned. Throws the system's error where the file cannot be read, FileCorrupt where it shrinks meanwhile.
 */
export function readWholeFile(path: string): Uint8Array<ArrayBuffer> {
  const file = openSync(path, "r");
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
