import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { FileNotWritten, writing } from "./file-not-written.ts";
import { assertOwn, openOwn } from "./own-file.ts";
import { reading } from "./reading.ts";

/** Where the bytes of a file go until it is whole: beside it, as `.NAME.PID.part`. */
export function unfinishedPath(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.part`);
}

/** The names of such files. */
const UNFINISHED = /^\..+\.(\d+)\.part$/;

/** Whether a name is that of an unfinished file. */
export function isUnfinished(name: string): boolean {
  return UNFINISHED.test(name);
}

/**
 * The file that a path means: where a symbolic link leads, also if nothing is there yet. A rename over the path itself would
 * replace the link. Throws the system's error.
 */
export function linkedFile(path: string): string {
  // As many links as Linux follows; then the system says what is wrong.
  for (let links = 0; links < 40; links++) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) break;
    path = resolve(realpathSync(dirname(path)), readlinkSync(path));
  }
  return path;
}

/** Whether a path means a device, a pipe, a socket or an open file: a rename would end that. */
export function isDevice(path: string): boolean {
  if (/^\/(dev\/(std(in|out|err)$|fd\/)|proc\/)/.test(path)) return true;
  const there = statSync(path, { throwIfNoEntry: false });
  return there !== undefined && !there.isFile() && !there.isDirectory();
}

/**
 * Writes a whole file. At every moment, even after a power cut, either the old file or the new one is there. A symbolic link stays
 * what it is, and a device or pipe gets the bytes as they come.
 *
 * The bytes go to the file's `unfinishedPath`, which is synced, renamed over `path`, and the folder is
 * synced: rename(2) replaces atomically, fsync(2) of the folder makes the new name last. On failure the temporary
 * file is removed, and `FileNotWritten` says why. The folder must exist. Several chunks are written one after
 * another, so that large files need no copy in memory.
 */
export function writeAtomically(path: string, content: Content): void {
  writing(path, () => {
    if (isDevice(path)) writeInto(openSync(path, "w"), content);
    else replaceFile(linkedFile(path), content);
  });
}

/**
 * Writes a whole own file (`own-file.ts`) in the same way. If a link, a pipe or a device is in its place, it is refused: throws
 * `FileCorrupt` and `FileNotWritten`.
 */
export function writeOwn(path: string, content: Content): void {
  writing(path, () => {
    assertOwn(path);
    replaceFile(path, content);
  });
}

/** Copies an own file in the same way. Throws `FileCorrupt` and `FileNotWritten`. */
export function copyOwn(from: string, to: string): void {
  const file = reading(from, () => openOwn(from, "read"));
  try {
    writeOwn(to, chunksOf(file, from));
  } finally {
    closeSync(file);
  }
}

/** What a file is to hold; several chunks are written one after another. */
type Content = string | Uint8Array | Iterable<Uint8Array>;

const CHUNK = 1 << 20;

/** The content of an open file; each chunk holds until the next one. */
function* chunksOf(file: number, path: string): Generator<Uint8Array, void, undefined> {
  const chunk = new Uint8Array(CHUNK);
  for (let count: number; (count = reading(path, () => readSync(file, chunk))) > 0;)
    yield chunk.subarray(0, count);
}

function replaceFile(target: string, content: Content): void {
  const temporary = unfinishedPath(target);
  try {
    writeInto(openOwn(temporary, "replace"), content, fsyncSync);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(target));
}

/** Writes into an open file and closes it. */
function writeInto(file: number, content: Content, end: (file: number) => void = () => {}): void {
  try {
    const chunks = typeof content === "string" ? [new TextEncoder().encode(content)] : content;
    for (const chunk of chunks instanceof Uint8Array ? [chunks] : chunks) writeFully(file, chunk);
    end(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Removes the unfinished files in a folder and below it whose process was killed; `isAlive` says of a process whether it may
 * still write. Throws FileNotWritten.
 */
export function removeUnfinished(folder: string, isAlive: (pid: number) => boolean): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const [, pid] = UNFINISHED.exec(basename(name)) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const path = join(folder, name);
    writing(path, () => rmSync(path, { force: true }));
  }
}

/** Writes every byte, at a position or where the file is; one call of write(2) may take fewer than it was given. */
export function writeFully(file: number, bytes: Uint8Array, position?: number): void {
  // Linux takes at most 2 GiB less a page at once.
  const most = 1 << 30;
  for (let done = 0; done < bytes.byteLength;) {
    const at = position === undefined ? null : position + done;
    const count = writeSync(file, bytes, done, Math.min(most, bytes.byteLength - done), at);
    // A device that takes nothing without a reason would be tried for ever.
    if (count === 0) throw Object.assign(new Error("nothing was written"), { code: "EIO", syscall: "write" });
    done += count;
  }
}

/** Makes the names in a folder last through a power cut. Systems that cannot sync a folder (Windows) are left as they are. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Throws `FileNotWritten` unless files can be made in `folder` and `bytesNeeded` bytes are free there.
 *
 * Call it before work starts. If the folder does not exist yet, its nearest existing ancestor is checked. The check
 * creates an empty folder and removes it again, since permissions are not enough (a read-only or full file
 * system, a privileged user).
 */
export function assertWritable(folder: string, bytesNeeded = 0): void {
  let there = resolve(folder);
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  writing(folder, () => {
    accessSync(there, constants.W_OK);
    makeAndRemove(folder, there);
    const disk = statfsSync(there);
    const free = disk.bavail * disk.bsize;
    if (free < bytesNeeded)
      throw new FileNotWritten(
        folder,
        `${inMebibytes(bytesNeeded)} are needed and ${inMebibytes(free)} are free`,
        "free some space or choose another folder",
      );
  });
}

function makeAndRemove(folder: string, there: string): void {
  try {
    rmdirSync(mkdtempSync(join(there, ".writable-")));
  } catch (error) {
    // The folder is there, and takes nothing new: it belongs to the system, as /proc does.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new FileNotWritten(
      folder,
      `nothing can be made in ${there}, which belongs to the system`,
      "choose another folder",
    );
  }
}

function inMebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toLocaleString("en-US", { maximumFractionDigits: 1 })} MiB`;
}
