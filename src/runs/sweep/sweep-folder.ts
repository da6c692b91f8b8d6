import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { writeOwn } from "../../formats/files/atomic-file.ts";
import { FileCorrupt } from "../../formats/files/file-corrupt.ts";
import { readOwnText } from "../../formats/files/own-file.ts";
import { reading } from "../../formats/files/reading.ts";
import { writing } from "../../formats/files/file-not-written.ts";
import { sealedJson, unsealedJson } from "../../formats/sealed-json.ts";
import { MANIFEST, openRunFolder } from "../../graph/folder/run-folder.ts";
import { RunFolderInvalid } from "../../graph/folder/run-folder-invalid.ts";
import { memberFile, type SweepPlan } from "../../graph/sweep/sweep-plan.ts";
import { sameValue } from "../../same-value.ts";
import { differingPaths } from "../comparison/settings.ts";
import { settingsOf, valueText } from "../../operators/experiment/settings-by-path.ts";

const SWEEP = "sweep.json";
const FORMAT = "ludoflow sweep 1";

/** What the folder of a sweep stores about it: enough for its report. */
export interface StoredSweep {
  readonly format: string;
  readonly name: string;
  /** The file of the sweep, as an absolute path. */
  readonly file: string;
  /** The keys that the sweep sets, and those of them with values drawn from ranges. */
  readonly keys: readonly string[];
  readonly ranges: readonly string[];
  readonly seeds: readonly number[];
  /** All its runs, also those that have not begun. */
  readonly runs: readonly {
    /** The name of its folder here. */
    readonly folder: string;
    readonly seed: number;
    readonly settings: Readonly<Record<string, unknown>>;
  }[];
}

/** The default folder of a sweep: fixed by its name, so that all shards, and a later start, find it. */
export function sweepFolder({ name }: Pick<SweepPlan, "name">): string {
  return join("runs", name, "sweep");
}

/** Whether a folder is that of a sweep. */
export function isSweepFolder(folder: string): boolean {
  return existsSync(join(folder, SWEEP));
}

/**
 * Makes the folder of a sweep, or opens it again, and writes what it is. A file that has gained combinations or seeds
 * continues in the same folder: what was run stays valid. Throws RunFolderInvalid if the folder holds something else, or a run
 * that the file would now make otherwise; and FileNotWritten. Then nothing was written.
 */
export function openSweepFolder(folder: string, plan: SweepPlan): void {
  if (existsSync(folder)) {
    const names = readdirSync(folder);
    if (names.length > 0 && !names.includes(SWEEP))
      throw new RunFolderInvalid(
        `${folder} is not empty, and holds no sweep; give --out a new or empty folder`,
      );
    for (const member of plan.members) assertUnchanged(join(folder, member.name), plan, member);
  }
  writing(folder, () => mkdirSync(folder, { recursive: true }));
  const stored: StoredSweep = {
    format: FORMAT,
    name: plan.name,
    file: resolve(plan.file),
    keys: plan.keys,
    ranges: plan.ranges,
    seeds: plan.seeds,
    runs: plan.members.map(({ name, seed, settings }) => ({ folder: name, seed, settings })),
  };
  writeOwn(join(folder, SWEEP), sealedJson(stored));
}

function assertUnchanged(folder: string, plan: SweepPlan, member: SweepPlan["members"][number]): void {
  if (!existsSync(join(folder, MANIFEST))) return;
  const before = settingsOf(openRunFolder(folder).experiment);
  const now = settingsOf(memberFile(plan, member).experiment);
  if (sameValue(Object.fromEntries(before), Object.fromEntries(now))) return;
  const path = differingPaths([before, now])[0]!;
  throw new RunFolderInvalid(
    `${plan.file} has been changed since ${folder} was begun: ${path} was ${valueText(before.get(path))} and is now ${valueText(now.get(path))}. Values and seeds may be added to a sweep, but what was run must stay: give --out a new folder, or put the file back`,
  );
}

/** What the folder of a sweep says. Throws RunFolderInvalid, FileCorrupt. */
export function readSweepFolder(folder: string): StoredSweep {
  const path = join(folder, SWEEP);
  if (!existsSync(path))
    throw new RunFolderInvalid(`"${folder}" is not the folder of a sweep: it has no ${SWEEP}`);
  const text = reading(path, () => readOwnText(path));
  try {
    const { format } = Object(JSON.parse(text)) as { readonly format?: unknown };
    if (format !== FORMAT)
      throw new Error(
        `is of the format "${typeof format === "string" ? format : "unknown"}"; this program reads "${FORMAT}"`,
      );
    return unsealedJson(text) as unknown as StoredSweep;
  } catch (error) {
    throw new FileCorrupt(
      path,
      error instanceof SyntaxError
        ? `is not JSON: ${error.message}`
        : `${(error as Error).message}; ludoflow sweep writes it again`,
    );
  }
}

/** What is set last for each run of a sweep; the number of threads follows. */
const [NO_SWEEP, WORKERS] = ["sweep=null", "workers="];

/** The changes in the manifest of a run which show that a sweep has started it. */
export function memberSet(set: readonly string[], workers: number): string[] {
  return [...set, NO_SWEEP, `${WORKERS}${workers}`];
}

/** The folders around runs that a sweep has started in them, and that are no longer those of a sweep: they have lost `sweep.json`. */
export function lostSweeps(runs: readonly string[]): string[] {
  const members = runs.filter((run) => {
    const set = setOf(run);
    return set.at(-2) === NO_SWEEP && set.at(-1)?.startsWith(WORKERS) === true;
  });
  return [...new Set(members.map((run) => dirname(run)))].filter((folder) => !isSweepFolder(folder));
}

/** The changes that a run was started with; none if its files are damaged, which is reported elsewhere. */
function setOf(run: string): readonly string[] {
  try {
    return openRunFolder(run).manifest.source.set;
  } catch (error) {
    if (error instanceof RunFolderInvalid) return [];
    throw error;
  }
}

/** What is in the folder of a run before its manifest: the experiment, the lock, and files that are being written. */
const BEFORE_MANIFEST = /^(?:experiment\.yaml|run\.lock.*|\..+\.part)$/;

/** Removes what a kill has left of the folder of a run that had not begun: its manifest is written last. Anything else stays. */
export function clearUnbegun(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  if (readdirSync(folder).every((name) => BEFORE_MANIFEST.test(name)))
    writing(folder, () => rmSync(folder, { recursive: true }));
}
