import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from "node:fs";
import { FileCorrupt } from "./file-corrupt.ts";

const { O_APPEND, O_CREAT, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY } = constants;
/** Windows has neither. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;

/** What an own file is opened for; all but `read` and `change` make a file if there is none. */
const MODES = {
  read: O_RDONLY,
  change: O_RDWR,
  update: O_RDWR | O_CREAT,
  append: O_RDWR | O_CREAT | O_APPEND,
  replace: O_WRONLY | O_CREAT | O_TRUNC,
};

/**
 * Opens a file that this program has written: a file of a run, a sweep, a checkpoint, or of its caches. A link in its place is not
 * followed, since it may lead to any file of the user; a pipe or a device in its place is not waited for.
 *
 * Throws `FileCorrupt` if something else than a file or a folder is in its place, and otherwise the system's error. Files that a
 * user names may be links and pipes: those are opened by `openSync`. The folders on the way may be links.
 */
export function openOwn(path: string, mode: keyof typeof MODES): number {
  assertOwn(path, O_NOFOLLOW === 0);
  let file: number;
  try {
    file = openSync(path, MODES[mode] | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    assertOwn(path);
    throw error;
  }
  const stat = fstatSync(file);
  if (stat.isFile() || stat.isDirectory()) return file;
  closeSync(file);
  throw notOwn(path, SPECIAL);
}

/** The bytes of an own file. Throws as `openOwn` does. */
export function readOwn(path: string): Buffer<ArrayBuffer> {
  const file = openOwn(path, "read");
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** The text of an own file in UTF-8. Throws as `openOwn` does. */
export function readOwnText(path: string): string {
  return readOwn(path).toString("utf8");
}

/** Throws `FileCorrupt` if a link, a pipe, a socket or a device is in the place of an own file. */
export function assertOwn(path: string, look = true): void {
  const there = look ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
  if (there === undefined || there.isFile() || there.isDirectory()) return;
  throw notOwn(path, there.isSymbolicLink() ? "a symbolic link" : SPECIAL);
}

const SPECIAL = "a pipe, a socket or a device";

function notOwn(path: string, what: string): FileCorrupt {
  return new FileCorrupt(path, `is ${what}, not a regular file: put the file itself there`);
}
