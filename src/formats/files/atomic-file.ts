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

/** Where the bytes of a file go until it is whole: beside it, as `.NAME.PID.part`. */
export function unfinishedPath(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.part`);
}

/** The names of such files. */
const UNFINISHED = /^\..+\.(\d+)\.part$/;

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
 * file is removed, and `FileNotWritten` tells why. The folder must exist. Several chunks are written one after
 * another, so that large files need no copy in memory.
 */
export function writeAtomically(path: string, content: string | Uint8Array | readonly Uint8Array[]): void {
  const chunks =
    typeof content === "string"
      ? [new TextEncoder().encode(content)]
      : content instanceof Uint8Array
        ? [content]
        : content;
  writing(path, () => {
    if (isDevice(path)) return writeInto(path, chunks);
    const target = linkedFile(path);
    const temporary = unfinishedPath(target);
    try {
      writeInto(temporary, chunks, fsyncSync);
      renameSync(temporary, target);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
    syncFolder(dirname(target));
  });
}

function writeInto(
  path: string,
  chunks: readonly Uint8Array[],
  end: (file: number) => void = () => {},
): void {
  const file = openSync(path, "w");
  try {
    for (const chunk of chunks) writeFully(file, chunk);
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

/** Writes every byte at the file's position; one call of write(2) may take fewer than it was given. */
export function writeFully(file: number, bytes: Uint8Array): void {
  // Linux takes at most 2 GiB less a page at once.
  const most = 1 << 30;
  for (let done = 0; done < bytes.byteLength;)
    done += writeSync(file, bytes, done, Math.min(most, bytes.byteLength - done));
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
 * creates an empty folder and removes it again, since permissions do not tell everything (a read-only or full file
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
