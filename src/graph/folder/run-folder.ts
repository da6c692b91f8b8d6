import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { arch, availableParallelism, cpus, platform, release, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { parse, stringify } from "yaml";
import { readState } from "../../events/metrics-file.ts";
import { assertWritable, writeOwn } from "../../formats/files/atomic-file.ts";
import { FileCorrupt } from "../../formats/files/file-corrupt.ts";
import { writing } from "../../formats/files/file-not-written.ts";
import { readOwnText } from "../../formats/files/own-file.ts";
import { sealedJson } from "../../formats/sealed-json.ts";
import { sha256 } from "../../formats/sha256.ts";
import { ARITHMETIC, partsWithThis, type RunArithmetic } from "./arithmetic.ts";
import { fixedByTime, irreproducible } from "./irreproducible.ts";
import type { DecidedEvaluations } from "../../operators/play/evaluation/decide-evaluations.ts";
import { withLaterOptions } from "../../operators/experiment/later-options.ts";
import type { Experiment } from "../../operators/experiment/open-experiment.ts";
import { workerThreads } from "../../operators/run/parallelism.ts";
import { parseRunManifest, RUN_FORMAT } from "../../operators/run/run-manifest.ts";
import { type FilesReadAgain, filesReadAgain } from "./read-again.ts";
import { RunFolderInvalid } from "./run-folder-invalid.ts";
import { PLUGINS_CHANGED, pluginsOfRun, type RunPlugins } from "./run-plugins.ts";
import { claimRunFolder, LOCK } from "./run-lock.ts";
import { ludoflowVersion } from "./version.ts";

/** The file that makes a folder that of a run. */
export const MANIFEST = "manifest.json";
const EXPERIMENT = "experiment.yaml";

/** How the reason begins that names the arithmetics of a run's parts. */
const CHANGED = "its parts were computed with arithmetic";

/** The source of a run. */
export interface RunSource {
  /** The experiment file; absent for an experiment that a program has made. */
  readonly file?: string;
  /** The changes made on the command line. */
  readonly set: readonly string[];
  /** The working directory of the command: paths in `set` are relative to it. Absent in older runs. */
  readonly folder?: string;
}

/** The point at which a fork leaves its parent. */
export interface RunFork {
  /** The folder of the run, absolute, and its `id`. */
  readonly run: string;
  readonly id: string;
  /** What had been learned by the checkpoint, in `unit`, and the version of its weights. */
  readonly learned: number;
  readonly unit: "games" | "steps";
  readonly version: number;
  /** The settings that were changed, as `path=value`. */
  readonly set: readonly string[];
}

/** The manifest of a run. */
export interface RunManifest extends RunArithmetic, RunPlugins, FilesReadAgain {
  readonly format: string;
  readonly name: string;
  readonly id: string;
  readonly seed: number;
  /** UTC, ISO 8601. */
  readonly started: string;
  /** The experiment file, as an absolute path if there is one, and the changes on the command line. */
  readonly source: RunSource;
  /** SHA-256 of `experiment.yaml`, the experiment with everything filled in. */
  readonly experimentSha256: string;
  /** The run that this one continues from with changed settings; absent: it began anew. */
  readonly fork?: RunFork;
  /** By net: what was measured if `evaluations` is `auto`, and decided for the whole run; absent if there is no such net. */
  readonly evaluations?: Evaluated;
  /** True when the results are a function of file and seed. */
  readonly reproducible: boolean;
  /** The reasons why they are not; absent if they are. */
  readonly irreproducible?: readonly string[];
  readonly workers: number;
  /** What computes the nets when the run begins: engine, device and versions; absent if no net is computed. */
  readonly compute?: Readonly<Record<string, string | number>>;
  readonly versions: Readonly<Record<string, string>>;
  readonly machine: Readonly<Record<string, string | number>>;
  /** The commit of the source tree, if there is one. */
  readonly commit?: string;
}

/** A run's folder that this process has claimed. */
export interface ClaimedFolder {
  readonly folder: string;
  /** Frees the folder for other processes. */
  readonly release: () => void;
}

/** What a run that continues from another one begins with. */
export interface ForkStart {
  readonly fork: RunFork;
  /** Puts what the run continues from into its folder. */
  readonly fill: (folder: string) => void;
}

/** What was measured and decided of nets, by name. */
type Evaluated = Readonly<Record<string, DecidedEvaluations>>;

/** What a run begins with, in addition to its experiment. Without `fork` and `fill` it begins anew. */
interface RunSources extends Partial<ForkStart> {
  readonly evaluations?: Evaluated;
  readonly compute?: RunManifest["compute"] | undefined;
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
  more: RunSources = {},
): ClaimedFolder {
  const id = `${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-")}-seed${experiment.seed}`;
  if (out === "") throw new RunFolderInvalid("the folder of the run has no name; name a new or empty folder");
  const folder = resolve(out ?? freshName(join("runs", experiment.name, id)));
  assertNew(folder, out);
  assertWritable(folder, 16 << 20);
  writing(folder, () => mkdirSync(folder, { recursive: true }));
  const release = claimRunFolder(folder);
  try {
    // Another process may have begun and ended a run here before this claim.
    assertNew(folder, out);
    try {
      writeSources(folder, experiment, source, { ...more, id, now });
    } catch (error) {
      clearNew(folder);
      throw error;
    }
  } catch (error) {
    release();
    throw error;
  }
  return { folder, release };
}

/** Removes what was written into the folder of a run that could not begin, as far as the disk lets it: then it can be begun there again. */
function clearNew(folder: string): void {
  try {
    for (const name of readdirSync(folder))
      if (!name.startsWith(LOCK)) rmSync(join(folder, name), { recursive: true, force: true });
  } catch {
    // Why the run could not begin is what the user has to know.
  }
}

/** Throws RunFolderInvalid unless a folder is absent or empty; the lock of a run does not count. */
function assertNew(folder: string, out: string | undefined): void {
  if (existsSync(join(folder, MANIFEST)))
    throw new RunFolderInvalid(
      `${folder} holds a run already; continue it with: ludoflow resume ${out ?? folder}`,
    );
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new RunFolderInvalid(`${folder} is a file; name a new or empty folder`);
  if (existsSync(folder) && readdirSync(folder).some((name) => !name.startsWith(LOCK)))
    throw new RunFolderInvalid(`${folder} is not empty; name a new or empty folder`);
}

/** Writes the experiment and the manifest of a new run. */
function writeSources(
  folder: string,
  experiment: Experiment,
  source: RunSource,
  {
    compute,
    evaluations = {},
    fill,
    fork,
    id,
    now,
  }: RunSources & { readonly id: string; readonly now: Date },
): void {
  const text = experimentText(experiment);
  writeOwn(join(folder, EXPERIMENT), text);
  const commit = sourceCommit();
  const reasons = [
    ...irreproducible(experiment),
    ...fixedByTime(experiment),
    ...(fork === undefined ? [] : [`it continues from another run, ${fork.run}, with changed settings`]),
  ];
  fill?.(folder);
  const manifest: RunManifest = {
    format: RUN_FORMAT,
    name: experiment.name,
    id,
    seed: experiment.seed,
    started: now.toISOString(),
    source: {
      ...(source.file === undefined ? {} : { file: resolve(source.file) }),
      set: source.set,
      folder: resolve(source.folder ?? "."),
    },
    experimentSha256: sha256(text),
    ...(fork === undefined ? {} : { fork }),
    reproducible: reasons.length === 0,
    ...(reasons.length === 0 ? {} : { irreproducible: reasons }),
    workers: workerThreads(experiment),
    ...(compute === undefined ? {} : { compute }),
    arithmetic: ARITHMETIC,
    ...(Object.keys(evaluations).length === 0 ? {} : { evaluations }),
    ...pluginsOfRun(experiment),
    ...filesReadAgain(experiment),
    versions: programVersions(),
    machine: {
      processor: cpus()[0]?.model ?? "unknown",
      cores: availableParallelism(),
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      system: `${platform()} ${release()} ${arch()}`,
    },
    ...(commit === undefined ? {} : { commit }),
  };
  // The manifest comes last: a folder with a manifest is complete.
  writeManifest(folder, manifest);
}

function writeManifest(folder: string, manifest: RunManifest): void {
  writeOwn(join(folder, MANIFEST), sealedJson(manifest));
}

/**
 * Notes in the manifest that this program continues a run of another arithmetic, and that the run is no longer a
 * function of its file. Writes nothing if that is noted already. Returns the manifest as it is then. Throws FileNotWritten.
 */
export function noteArithmetic(folder: string, manifest: RunManifest, now: Date): RunManifest {
  const first = { started: manifest.started, ludoflow: manifest.versions["ludoflow"] ?? "unknown" };
  const next = { started: now.toISOString(), ludoflow: ludoflowVersion() };
  const parts = partsWithThis(manifest, first, next);
  if (parts === undefined) return manifest;
  const numbers = parts.map(({ arithmetic }) => arithmetic).join(", then ");
  const reasons = (manifest.irreproducible ?? []).filter((reason) => !reason.startsWith(CHANGED));
  const noted = {
    ...manifest,
    reproducible: false,
    irreproducible: [...reasons, `${CHANGED} ${numbers}`],
    parts,
  };
  writeManifest(folder, noted);
  return noted;
}

/**
 * Notes in the manifest that a run continues with the plug-ins that this process has loaded, which have changed, and that it is no
 * longer a function of its file. Throws FileNotWritten.
 */
export function notePlugins(folder: string, manifest: RunManifest, experiment: Experiment, now: Date): void {
  const { earlierPlugins = [], irreproducible: reasons = [], plugins = [] } = manifest;
  writeManifest(folder, {
    ...manifest,
    reproducible: false,
    irreproducible: [...new Set([...reasons, PLUGINS_CHANGED])],
    ...pluginsOfRun(experiment),
    earlierPlugins: [...earlierPlugins, { until: now.toISOString(), plugins }],
  });
}

/**
 * Notes in the manifest a reason why a run is not a function of its file and seed, once. Throws RunFolderInvalid,
 * FileNotWritten.
 */
export function noteIrreproducible(folder: string, reason: string): void {
  const { manifest } = openRunFolder(folder);
  const { irreproducible: reasons = [] } = manifest;
  if (reasons.includes(reason)) return;
  writeManifest(folder, { ...manifest, reproducible: false, irreproducible: [...reasons, reason] });
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
  const manifest = readOrRefuse(path, (text) => parseRunManifest(text) as unknown as RunManifest);
  const text = readOrRefuse(join(folder, EXPERIMENT), (content) => content);
  if (sha256(text) !== manifest.experimentSha256)
    throw new RunFolderInvalid(
      `${join(folder, EXPERIMENT)} has been changed since the run began; a run is a function of its file: put the file back, or start a new run`,
    );
  return { manifest, experiment: withLaterOptions(parse(text) as Experiment) };
}

/** The path of a run's events. */
export function metricsPath(folder: string): string {
  return join(folder, "metrics.jsonl");
}

/** Whether the run in a folder is finished. */
export function hasFinished(folder: string): boolean {
  return readState(metricsPath(folder)).ended?.outcome === "finished";
}

function readOrRefuse<T>(path: string, parseText: (text: string) => T): T {
  let text: string;
  try {
    text = readOwnText(path);
  } catch (error) {
    if (error instanceof FileCorrupt) throw new RunFolderInvalid(error.message);
    throw new RunFolderInvalid(`${path} cannot be read: ${(error as Error).message}`);
  }
  try {
    return parseText(text);
  } catch (error) {
    throw new RunFolderInvalid(
      error instanceof SyntaxError
        ? `${path} is damaged: it is not JSON; ${INSTEAD}`
        : `${path} ${(error as Error).message}; ${INSTEAD}`,
    );
  }
}

/** What to do if the files of a run are damaged. */
const INSTEAD = "put back a copy of it, or start a new run";

/** The experiment with everything filled in, as YAML. */
export function experimentText(experiment: Experiment): string {
  return stringify(experiment, { lineWidth: 110 });
}

function freshName(path: string): string {
  let name = path;
  for (let i = 2; existsSync(name); i++) name = `${path}-${i}`;
  return name;
}

/** The versions of this program, of Node, and of the packages on which results depend. */
export function programVersions(): Record<string, string> {
  const require = createRequire(import.meta.url);
  // A package that is not installed has none: onnxruntime-node is needed by nets alone.
  const versionOf = (name: string): Record<string, string> => {
    try {
      return { [name]: (require(`${name}/package.json`) as { version: string }).version };
    } catch {
      return {};
    }
  };
  return {
    ludoflow: ludoflowVersion(),
    node: process.versions.node,
    ...versionOf("onnxruntime-node"),
    ...versionOf("effect"),
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
