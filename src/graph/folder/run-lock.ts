import {
  closeSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { hostname } from "node:os";
import { basename, join, resolve } from "node:path";
import { removeUnfinished } from "../../formats/files/atomic-file.ts";
import { writing } from "../../formats/files/file-not-written.ts";
import { openOwn, readOwnText } from "../../formats/files/own-file.ts";
import { sha256 } from "../../formats/sha256.ts";
import { RunFolderInvalid } from "./run-folder-invalid.ts";

/** How the names of a run's locks begin. */
export const LOCK = "run.lock";

/** How long a claim waits for a process that is just ending, and the interval between its checks. */
const PATIENCE_MS = 3000;
const LOOK_MS = 20;

/**
 * How often a process touches its lock, and how old the lock of a process may be that nobody here can see, of another container
 * or machine, before it counts as left behind.
 */
const BEAT_MS = 10_000;
const SILENCE_MS = 60_000;

/** The folders that this process holds. */
const held = new Set<string>();

/**
 * Claims a run's folder, so that no other process, and nothing else in this one, writes there; returns a function that frees it.
 * The claim of a killed process does not count, and what it has left half written is removed; the claim of a process that is just
 * ending is waited for. Throws RunFolderInvalid, FileNotWritten.
 *
 * A claimant makes a file with its number in the name, `run.lock.PID.PLACE`, and then looks for those of others. It holds the
 * folder if no other living process has one. Of two claimants the later one has made its file after the earlier one, and so
 * sees it: both cannot hold the folder, wherever one of them is stopped in between. A claimant that sees a lower number
 * withdraws and tries again, so that one of several continues.
 */
export function claimRunFolder(folder: string): () => void {
  const whole = existsSync(folder) ? realpathSync(folder) : resolve(folder);
  if (held.has(whole))
    throw new RunFolderInvalid(`this process is at work in ${folder} already; wait until that run has ended`);
  const own = join(folder, lockName());
  const remove = () => rmSync(own, { force: true });
  const deadline = performance.now() + PATIENCE_MS;
  for (let made = false; ;) {
    const owners = locksIn(folder).filter((lock) => lock.path !== own && !isOwn(lock) && isHeld(lock));
    if (owners.length === 0) {
      if (made) break;
      writing(own, () => closeSync(openOwn(own, "replace")));
      made = true;
      continue;
    }
    const over = performance.now() >= deadline;
    if (made && (over || owners.some((lock) => isBefore(lock, OWN)))) {
      remove();
      made = false;
    }
    if (over) throw new RunFolderInvalid(heldBy(owners[0]!, folder));
    pause();
  }
  // What ended processes have left. Nobody else can hold the folder meanwhile.
  for (const lock of locksIn(folder)) if (lock.path !== own) removeLeft(lock);
  removeUnfinished(folder, (pid) => pid !== process.pid && isAlive(pid));
  held.add(whole);
  const beat = setInterval(() => touch(own), BEAT_MS).unref();
  return () => {
    clearInterval(beat);
    held.delete(whole);
    remove();
  };
}

/** The number of the process that is at work in a run's folder; undefined if none is. Changes nothing. */
export function processAtWork(folder: string): number | undefined {
  return locksIn(folder).find(isHeld)?.pid;
}

/** A process, as its lock names it. */
interface Claimant {
  /** Its number; NaN for what is not a number. */
  readonly pid: number;
  /** The place in which the number means something; absent in locks of earlier versions. */
  readonly place?: string | undefined;
}

interface Lock extends Claimant {
  readonly path: string;
}

const OWN: Claimant = { pid: process.pid, place: placeOfNumbers() };

/** The name of the lock of a process that this one can see, by default its own. */
export function lockName(pid = process.pid): string {
  return `${LOCK}.${pid}.${OWN.place}`;
}

/**
 * What distinguishes the processes that this one can see from those of other containers and machines, whose numbers mean nothing
 * here: on Linux this start of the system and the namespace of its numbers.
 */
function placeOfNumbers(): string {
  let text = hostname();
  try {
    text = `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8")}${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    // Another system than Linux.
  }
  return sha256(text).slice(0, 8);
}

const isHere = ({ place }: Claimant) => place === undefined || place === OWN.place;

const isOwn = (lock: Lock) => isHere(lock) && lock.pid === process.pid;

const isBefore = (one: Claimant, other: Claimant) =>
  one.pid < other.pid || (one.pid === other.pid && (one.place ?? "") < (other.place ?? ""));

/** Whether the process of a lock may still write. One that nobody can see from here touches its lock as long as it lives. */
function isHeld(lock: Lock): boolean {
  return isHere(lock) ? isAlive(lock.pid) : silence(lock) < SILENCE_MS;
}

/** Milliseconds since a lock was touched; Infinity if it is gone. */
function silence({ path }: Lock): number {
  const touched = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return touched === undefined ? Infinity : Date.now() - touched;
}

function touch(path: string): void {
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // The folder is gone, or takes nothing any more: the run itself will say so.
  }
}

function heldBy(lock: Lock, folder: string): string {
  const { path, pid } = lock;
  return isHere(lock)
    ? `process ${pid} is at work in ${folder}; wait for it or end it (or, if it is not ludoflow, remove ${path})`
    : `process ${pid} of another container or machine was at work in ${folder} ${Math.round(silence(lock) / 1000)} s ago; end it, and try again ${SILENCE_MS / 1000} s later (or, if it has ended, remove ${path})`;
}

/** The locks in a folder. Earlier versions had `run.lock.PID`, and before that one file, `run.lock`, with the number in it. */
function locksIn(folder: string): Lock[] {
  try {
    return readdirSync(folder)
      .filter((name) => name === LOCK || name.startsWith(`${LOCK}.`))
      .map((name) => {
        const path = join(folder, name);
        const [pid, place] = name === LOCK ? [contentOf(path)] : name.slice(LOCK.length + 1).split(".", 2);
        return { path, pid: Number(pid), place };
      });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw new RunFolderInvalid(`${folder} cannot be read: ${(error as Error).message}`);
  }
}

/** The content of a lock; empty if it is gone meanwhile. */
function contentOf(path: string): string {
  try {
    return readOwnText(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

/** Removes the lock of a process that has ended, unless a process that is just looking has its number now. */
function removeLeft(lock: Lock): void {
  if (basename(lock.path) !== LOCK && !isOwn(lock) && isHeld(lock)) return;
  rmSync(lock.path, { force: true });
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
