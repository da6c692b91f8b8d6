import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writing } from "../../formats/files/file-not-written.ts";
import { RunFolderInvalid } from "./run-folder-invalid.ts";

/** The name of a run's lock; names of further files beside it begin with it. */
export const LOCK = "run.lock";

/** How long a claim waits for a process that is just ending, and the interval between its checks. */
const PATIENCE_MS = 3000;
const LOOK_MS = 20;

/** The error codes of file systems that have no links. */
const NO_LINKS = ["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"];

/**
 * Claims a run's folder for this process, so that no other process writes there; returns a function that frees it. The
 * claim of a killed process does not count; the claim of a process that is just ending is waited for. Throws
 * RunFolderInvalid, FileNotWritten.
 */
export function claimRunFolder(folder: string): () => void {
  const path = join(folder, LOCK);
  const release = () => rmSync(path, { force: true });
  while (!lock(path)) {
    const owner = ownerOf(path);
    if (owner === undefined) continue;
    if (staysOwned(path, owner))
      throw new RunFolderInvalid(
        `process ${owner} is at work in ${folder}; wait for it or end it (or, if it is no ludoflow, remove ${path})`,
      );
    if (takeOver(path, owner)) break;
  }
  return release;
}

/** The number of the process that is at work in a run's folder on this machine; undefined if none is. Changes nothing. */
export function processAtWork(folder: string): number | undefined {
  const owner = Number(ownerOf(join(folder, LOCK)));
  return isAlive(owner) ? owner : undefined;
}

/**
 * Makes a lock file that names this process; false if it exists. The file is written beside its place and linked there:
 * nobody ever sees it empty.
 */
function lock(path: string): boolean {
  const own = ownName(path);
  return writing(path, () => {
    try {
      writeFileSync(own, String(process.pid));
      linkSync(own, path);
      return true;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "";
      if (code === "EEXIST") return false;
      if (!NO_LINKS.includes(code)) throw error;
      return writeNew(path);
    } finally {
      rmSync(own, { force: true });
    }
  });
}

function writeNew(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Replaces the lock of a process that has ended by one of this process; false if another process was faster. Of several
 * processes that have seen the same old lock, a second lock lets one at a time look again and remove it: otherwise a
 * slower one would remove the new lock of a faster one.
 */
function takeOver(path: string, owner: string): boolean {
  const turn = `${path}.turn`;
  while (!lock(turn)) {
    const holder = ownerOf(turn);
    if (holder === undefined) continue;
    // Its holder frees it at once, unless it has been killed in between.
    if (holder !== String(process.pid) && isAlive(Number(holder))) pause();
    else removeStale(turn, holder);
  }
  try {
    if (ownerOf(path) !== owner) return false;
    rmSync(path, { force: true });
    return lock(path);
  } finally {
    rmSync(turn, { force: true });
  }
}

/** Removes a lock whose owner has ended. If another process has renewed it meanwhile, that lock is put back. */
function removeStale(path: string, owner: string): void {
  const own = ownName(path);
  try {
    renameSync(path, own);
    if (ownerOf(own) !== owner) linkSync(own, path);
  } catch (error) {
    // Gone, or made again: another process was faster.
    if (!["ENOENT", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/** The name of a lock that only this process writes to. */
function ownName(path: string): string {
  return `${path}.${process.pid}`;
}

/** The content of a lock: the number of the process that made it. Undefined if there is no lock. */
function ownerOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new RunFolderInvalid(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS);
}

/** Waits for the end of a lock's owner, or for another owner; false as soon as either is seen. */
function staysOwned(path: string, owner: string): boolean {
  const pid = Number(owner);
  if (pid === process.pid) return false;
  for (let waited = 0; isAlive(pid) && ownerOf(path) === owner; waited += LOOK_MS) {
    if (waited >= PATIENCE_MS) return true;
    pause();
  }
  return false;
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  // Linux keeps a killed process until its parent collects it (a zombie); it writes nothing more.
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return true;
  }
}
