import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { arch, availableParallelism, cpus, platform, release, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { parse, stringify } from "yaml";
import { readMetrics } from "../events/metrics-file.ts";
import { assertWritable, writeAtomically } from "../formats/atomic-file.ts";
import { writing } from "../formats/file-not-written.ts";
import { irreproducible } from "./irreproducible.ts";
import { currentExperiment } from "../operators/experiment/earlier-formats.ts";
import type { Experiment } from "../operators/experiment/open-experiment.ts";
import { workerThreads } from "../operators/run/parallelism.ts";
import { ludoflowVersion } from "./version.ts";

const MANIFEST = "manifest.json";
const EXPERIMENT = "experiment.yaml";
const LOCK = "run.lock";
const FORMAT = "ludoflow run 2";
/** The earlier format, in which settings had other words: see `currentExperiment`. */
const EARLIER_FORMAT = "ludoflow run 1";

/** The source of a run. */
export interface RunSource {
  readonly file: string;
  /** The changes made on the command line. */
  readonly set: readonly string[];
  /** The working directory of the command: paths in `set` are relative to it. Absent in older runs. */
  readonly folder?: string;
}

/** The manifest of a run. */
export interface RunManifest {
  readonly format: string;
  readonly name: string;
  readonly id: string;
  readonly seed: number;
  /** UTC, ISO 8601. */
  readonly started: string;
  /** The experiment file, as an absolute path, and the changes on the command line. */
  readonly source: RunSource;
  /** SHA-256 of `experiment.yaml`, the experiment with everything filled in. */
  readonly experimentSha256: string;
  /** True when the results are a function of file and seed. */
  readonly reproducible: boolean;
  /** The reasons why they are not; absent if they are. */
  readonly irreproducible?: readonly string[];
  readonly workers: number;
  readonly versions: Readonly<Record<string, string>>;
  readonly machine: Readonly<Record<string, string | number>>;
  /** The commit of the source tree, if there is one. */
  readonly commit?: string;
}

/** A run's folder, or its place, cannot be used; nothing has been written. */
export class RunFolderInvalid extends Error {
  constructor(message: string) {
    super(message);
    this.name = "RunFolderInvalid";
  }
}

/** A run's folder that this process has claimed. */
export interface ClaimedFolder {
  readonly folder: string;
  /** Frees the folder for other processes. */
  readonly release: () => void;
}

/**
 * Makes the folder of a new run, claims it, and writes its experiment and manifest. Throws RunFolderInvalid,
 * FileNotWritten.
 */
export function createRunFolder(
  experiment: Experiment,
  source: RunSource,
  out: string | undefined,
  now: Date,
): ClaimedFolder {
  const id = `${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-")}-seed${experiment.seed}`;
  if (out === "") throw new RunFolderInvalid("--out names no folder; give it a new or empty one");
  const folder = resolve(out ?? freshName(join("runs", experiment.name, id)));
  assertNew(folder, out);
  assertWritable(folder, 16 << 20);
  writing(folder, () => mkdirSync(folder, { recursive: true }));
  const release = claimRunFolder(folder);
  try {
    // Another process may have begun and ended a run here before this claim.
    assertNew(folder, out);
    writeSources(folder, experiment, source, id, now);
  } catch (error) {
    release();
    throw error;
  }
  return { folder, release };
}

/** Throws RunFolderInvalid unless a folder is absent or empty; the lock of a run does not count. */
function assertNew(folder: string, out: string | undefined): void {
  if (existsSync(join(folder, MANIFEST)))
    throw new RunFolderInvalid(
      `${folder} holds a run already; continue it with: ludoflow resume ${out ?? folder}`,
    );
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new RunFolderInvalid(`${folder} is a file; give --out a new or empty folder`);
  if (existsSync(folder) && readdirSync(folder).some((name) => !name.startsWith(LOCK)))
    throw new RunFolderInvalid(`${folder} is not empty; give --out a new or empty folder`);
}

/** Writes the experiment and the manifest of a new run. */
function writeSources(
  folder: string,
  experiment: Experiment,
  source: RunSource,
  id: string,
  now: Date,
): void {
  const text = experimentText(experiment);
  writeAtomically(join(folder, EXPERIMENT), text);
  const commit = sourceCommit();
  const reasons = irreproducible(experiment);
  const manifest: RunManifest = {
    format: FORMAT,
    name: experiment.name,
    id,
    seed: experiment.seed,
    started: now.toISOString(),
    source: { file: resolve(source.file), set: source.set, folder: resolve(source.folder ?? ".") },
    experimentSha256: sha256(text),
    reproducible: reasons.length === 0,
    ...(reasons.length === 0 ? {} : { irreproducible: reasons }),
    workers: workerThreads(experiment),
    versions: versions(),
    machine: {
      processor: cpus()[0]?.model ?? "unknown",
      cores: availableParallelism(),
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      system: `${platform()} ${release()} ${arch()}`,
    },
    ...(commit === undefined ? {} : { commit }),
  };
  // The manifest comes last: a folder with a manifest is complete.
  writeAtomically(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * Opens the folder of a run: its manifest as it is stored, and its experiment in today's words. Throws RunFolderInvalid
 * if the folder holds no run or the experiment has been changed.
 */
export function openRunFolder(folder: string): {
  readonly manifest: RunManifest;
  readonly experiment: Experiment;
} {
  const path = join(folder, MANIFEST);
  if (!existsSync(folder))
    throw new RunFolderInvalid(`no such run "${folder}"; give the folder of a run, as in runs/NAME/ID`);
  if (!existsSync(path))
    throw new RunFolderInvalid(
      `"${folder}" is not the folder of a run: it has no ${MANIFEST}; runs lie at runs/NAME/ID`,
    );
  const manifest = readOrRefuse(path, (text) => JSON.parse(text) as RunManifest | null);
  if (manifest?.format !== FORMAT && manifest?.format !== EARLIER_FORMAT)
    throw new RunFolderInvalid(
      `${path} is of the format "${manifest?.format ?? "unknown"}"; this program reads "${FORMAT}" and "${EARLIER_FORMAT}"`,
    );
  const text = readOrRefuse(join(folder, EXPERIMENT), (content) => content);
  if (sha256(text) !== manifest.experimentSha256)
    throw new RunFolderInvalid(
      `${join(folder, EXPERIMENT)} has been changed since the run began; a run is a function of its file: put the file back, or start a new run`,
    );
  const experiment = parse(text) as Experiment;
  return { manifest, experiment: manifest.format === FORMAT ? experiment : currentExperiment(experiment) };
}

/** The path of a run's events. */
export function metricsPath(folder: string): string {
  return join(folder, "metrics.jsonl");
}

/** Whether the run in a folder is finished. */
export function hasFinished(folder: string): boolean {
  const path = metricsPath(folder);
  const last = existsSync(path) ? readMetrics(path).at(-1) : undefined;
  return last?.type === "run-ended" && last.outcome === "finished";
}

function readOrRefuse<T>(path: string, parseText: (text: string) => T): T {
  try {
    return parseText(readFileSync(path, "utf8"));
  } catch (error) {
    throw new RunFolderInvalid(
      error instanceof SyntaxError
        ? `${path} is damaged: it is no JSON; put back a copy of it, or start a new run`
        : `${path} cannot be read: ${(error as Error).message}`,
    );
  }
}

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

/** The experiment with everything filled in, as YAML. */
export function experimentText(experiment: Experiment): string {
  return stringify(experiment, { lineWidth: 110 });
}

function freshName(path: string): string {
  let name = path;
  for (let i = 2; existsSync(name); i++) name = `${path}-${i}`;
  return name;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function versions(): Record<string, string> {
  const require = createRequire(import.meta.url);
  const versionOf = (name: string): string =>
    (require(`${name}/package.json`) as { version: string }).version;
  return {
    ludoflow: ludoflowVersion(),
    node: process.versions.node,
    "onnxruntime-node": versionOf("onnxruntime-node"),
    effect: versionOf("effect"),
  };
}

function sourceCommit(): string | undefined {
  try {
    const git = (...args: string[]) =>
      execFileSync("git", args, {
        cwd: new URL(".", import.meta.url),
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }).trim();
    const commit = git("rev-parse", "HEAD");
    const changed = git("status", "--porcelain", "--untracked-files=no") !== "";
    return changed ? `${commit} with changes` : commit;
  } catch {
    return undefined;
  }
}
