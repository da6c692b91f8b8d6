import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writing } from "../formats/files/file-not-written.ts";
import { hasFinished, openRunFolder } from "../graph/folder/run-folder.ts";
import { claimRunFolder, processAtWork } from "../graph/folder/run-lock.ts";
import { checkpointsPath } from "../operators/run/run-files.ts";
import {
  checkpointFolders,
  listCheckpoints,
  removeCheckpoint,
} from "../operators/run/weights/checkpoint-files.ts";
import { bytesIn } from "./bytes-in.ts";

/** Files of a run that neither replay nor resume needs. */
export interface Prunable {
  /** What they are, and how to get them again if that is possible. */
  readonly what: string;
  readonly paths: readonly string[];
  readonly bytes: number;
}

/**
 * What can be freed in the folder of a run. Nothing if a process is at work there. Throws RunFolderInvalid, FileCorrupt
 * if the run is damaged: what such a run needs is not known.
 *
 * Kept in any case: the experiment, the manifest, the events, recorded games with their analyses and efforts, whole
 * checkpoints with the state of their learners (`replay` of a learner's own games needs it), earlier versions of weights, and
 * TensorBoard's files.
 */
export function prunable(folder: string): Prunable[] {
  return processAtWork(folder) === undefined ? unneeded(folder) : [];
}

/** What can be freed if no other process is at work. */
function unneeded(folder: string): Prunable[] {
  const { experiment } = openRunFolder(folder);
  const ended = hasFinished(folder);
  const kinds = [
    // Only a run at work draws minibatches from them.
    { what: "training examples", paths: ended ? [join(folder, "examples")] : [] },
    { what: "checkpoints of versions cut short", paths: ended ? passed(folder, experiment.nets) : [] },
    { what: "remains of interrupted writing", paths: remains(folder) },
    {
      what: "report, tables and game pages (ludoflow report writes them again)",
      paths: ["report.html", "data", "figures", "game-pages"].map((name) => join(folder, name)),
    },
  ];
  return kinds
    .map(({ paths, what }) => ({ what, paths: paths.filter((path) => existsSync(path)) }))
    .map(({ paths, what }) => ({ what, paths, bytes: paths.reduce((sum, path) => sum + bytesIn(path), 0) }))
    .filter(({ paths }) => paths.length > 0);
}

/**
 * Removes what can be freed in the folder of a run now, and returns it. The folder is claimed meanwhile, so that no other
 * process continues the run. Throws as `prunable` does, and FileNotWritten.
 */
export function prune(folder: string): Prunable[] {
  const release = claimRunFolder(folder);
  try {
    const free = unneeded(folder);
    for (const { paths } of free)
      for (const path of paths)
        if (path.endsWith("-partial")) removeCheckpoint(path);
        else writing(path, () => rmSync(path, { recursive: true, force: true }));
    return free;
  } finally {
    release();
  }
}

/** Checkpoints of versions that an interruption cut short, of nets that have a later whole one. */
function passed(folder: string, nets: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(nets).flatMap((net) => {
    const kept = checkpointsPath(folder, net);
    const last = listCheckpoints(kept).findLast(({ partial }) => !partial)?.learned ?? -1;
    return checkpointFolders(kept).flatMap(({ learned, partial, path }) =>
      partial && learned < last ? [path] : [],
    );
  });
}

/** What a kill has left of files and checkpoints that were being written or removed. */
function remains(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /(?:^|\/)\.[^/]+\.(?:part|removed)$/.test(name))
    .map((name) => join(folder, name));
}
