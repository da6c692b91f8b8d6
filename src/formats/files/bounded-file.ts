import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** A file has more bytes than are read of it. */
export class FileTooLarge extends Error {
  readonly _tag = "FileTooLarge";

  constructor(most: number) {
    super(`it has more than ${most / 2 ** 20} MiB`);
    this.name = "FileTooLarge";
  }
}

/** Most bytes of a list that a user names, as of openings or positions: one of a million short ones is smaller. */
export const LARGEST_LIST = 256 << 20;

const FIRST = 1 << 16;

/**
 * The bytes of a file, a pipe or a device that has at most `most` of them. No more than one byte beyond that is read: the size that
 * the system reports for a pipe or a device is 0, and some never end. Throws FileTooLarge, and the system's error if the file
 * cannot be read. `file` is the open file, which is closed then; own files are opened by `openOwn`.
 */
export function readBounded(path: string, most: number, file = openSync(path, "r")): Uint8Array {
  try {
    const { size } = fstatSync(file);
    if (size > most) throw new FileTooLarge(most);
    // The one byte more shows that the file has ended.
    let bytes = new Uint8Array(Math.min(Math.max(size + 1, FIRST), most + 1));
    for (let length = 0; ;) {
      const count = readSync(file, bytes, length, bytes.length - length, null);
      length += count;
      if (count === 0) return bytes.subarray(0, length);
      if (length > most) throw new FileTooLarge(most);
      if (length === bytes.length) {
        const wider = new Uint8Array(Math.min(2 * length, most + 1));
        wider.set(bytes);
        bytes = wider;
      }
    }
  } finally {
    closeSync(file);
  }
}

/** The text of such a file in UTF-8. */
export function readBoundedText(path: string, most: number): string {
  return new TextDecoder().decode(readBounded(path, most));
}
