import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { removeUnfinished } from "../../formats/files/atomic-file.ts";
import { writing } from "../../formats/files/file-not-written.ts";
import { RunFolderInvalid } from "./run-folder-invalid.ts";

/** How the names of a run's locks begin. */
export const LOCK = "run.lock";

/** How long a claim waits for a process that is just ending, and the interval between its checks. */
const PATIENCE_MS = 3000;
const LOOK_MS = 20;

/**
 * Claims a run's folder for this process, so that no other process writes there; returns a function that frees it. The
 * claim of a killed process does not count, and what it has left half written is removed; the claim of a process that is just
 * ending is waited for. Throws RunFolderInvalid, FileNotWritten.
 *
 * A claimant makes a file with its number in the name, `run.lock.PID`, and then looks who else has one. It holds the folder if
 * no other living process has. Of two claimants the later one has made its file after the earlier one, and so sees it: both
 * cannot hold the folder, wherever one of them is stopped in between. A claimant that sees a lower number withdraws and tries
 * again, so that one of several goes on.
 */
export function claimRunFolder(folder: string): () => void {
  const own = join(folder, `${LOCK}.${process.pid}`);
  const release = () => rmSync(own, { force: true });
  const deadline = performance.now() + PATIENCE_MS;
  for (let made = false; ;) {
    const owners = locksIn(folder).filter(
      ({ path, pid }) => path !== own && pid !== process.pid && isAlive(pid),
    );
    if (owners.length === 0) {
      if (made) break;
      writing(own, () => writeFileSync(own, String(process.pid)));
      made = true;
      continue;
    }
    const over = performance.now() >= deadline;
    if (made && (over || owners.some(({ pid }) => pid < process.pid))) {
      release();
      made = false;
    }
    const [{ path, pid }] = owners as [Lock];
    if (over)
      throw new RunFolderInvalid(
        `process ${pid} is at work in ${folder}; wait for it or end it (or, if it is no ludoflow, remove ${path})`,
      );
    pause();
  }
  // What ended processes have left. Nobody else can hold the folder meanwhile.
  for (const { path } of locksIn(folder)) if (path !== own) removeLeft(path);
  removeUnfinished(folder, (pid) => pid !== process.pid && isAlive(pid));
  return release;
}

/** The number of the process that is at work in a run's folder on this machine; undefined if none is. Changes nothing. */
export function processAtWork(folder: string): number | undefined {
  return locksIn(folder).find(({ pid }) => isAlive(pid))?.pid;
}

/** A lock, and the number of the process that made it; NaN for what is no number. */
interface Lock {
  readonly path: string;
  readonly pid: number;
}

/** The locks in a folder. Earlier versions had one file, `run.lock`, with the number in it. */
function locksIn(folder: string): Lock[] {
  try {
    return readdirSync(folder)
      .filter((name) => name === LOCK || name.startsWith(`${LOCK}.`))
      .map((name) => {
        const path = join(folder, name);
        return { path, pid: Number(name === LOCK ? contentOf(path) : name.slice(LOCK.length + 1)) };
      });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw new RunFolderInvalid(`${folder} cannot be read: ${(error as Error).message}`);
  }
}

/** The content of a lock; empty where it is gone meanwhile. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

/** Removes the lock of a process that has ended, unless a process that is just looking has its number now. */
function removeLeft(path: string): void {
  if (basename(path) !== LOCK && isAlive(Number(basename(path).slice(LOCK.length + 1)))) return;
  rmSync(path, { force: true });
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS);
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
