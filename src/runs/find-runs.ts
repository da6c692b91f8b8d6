import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { MANIFEST, metricsPath } from "../graph/folder/run-folder.ts";
import { RunFolderInvalid } from "../graph/folder/run-folder-invalid.ts";

/** Folders deeper than this are not searched: runs lie at runs/NAME/ID, those of a sweep one deeper. */
const DEEPEST = 8;

/** Whether a folder is that of a run, even of a damaged one. */
export function isRunFolder(folder: string): boolean {
  return existsSync(join(folder, MANIFEST)) || existsSync(metricsPath(folder));
}

/**
 * The folders of all runs in a folder and in the folders in it, in the order of their paths; the folder itself, if it is a run.
 * Throws RunFolderInvalid if it is a file.
 */
export function findRuns(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new RunFolderInvalid(`"${folder}" is a file, not the folder of a run; runs lie at runs/NAME/ID`);
  return search(folder, 0);
}

/**
 * The runs that a command names: folders of runs, and of all runs in other folders (of a sweep), each once. Throws
 * RunFolderInvalid if a folder holds none.
 */
export function namedRuns(folders: readonly string[]): string[] {
  const runs = folders.flatMap((folder) => {
    const found = findRuns(folder);
    if (found.length > 0) return found;
    throw new RunFolderInvalid(
      existsSync(folder)
        ? `"${folder}" holds no run; runs lie at runs/NAME/ID (ludoflow runs lists them)`
        : `no such run "${folder}"; give the folder of a run, as in runs/NAME/ID (ludoflow runs lists them)`,
    );
  });
  return [...new Set(runs)];
}

function search(folder: string, depth: number): string[] {
  if (isRunFolder(folder)) return [folder];
  if (depth > DEEPEST || !existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules")
    .map(({ name }) => name)
    .toSorted()
    .flatMap((name) => search(join(folder, name), depth + 1));
}
