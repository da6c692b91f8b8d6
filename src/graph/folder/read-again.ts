import { readFileSync } from "node:fs";
import { sha256 } from "../../formats/sha256.ts";
import type { Experiment } from "../../operators/experiment/open-experiment.ts";
import { operatorOf } from "../../operators/registry.ts";

/** A file outside of a run that the run reads each time it continues, as it was when the run began. */
export interface FileReadAgain {
  /** Absolute. */
  readonly path: string;
  readonly sha256: string;
}

/** What a manifest records about such files. Absent: the run has none, or is of a version that did not note them. */
export interface FilesReadAgain {
  readonly files?: readonly FileReadAgain[];
}

/** The files that stages of an experiment read each time, as they are now. */
export function filesReadAgain({ graph }: Experiment): FilesReadAgain {
  const paths = new Set(
    Object.values(graph).flatMap((config) => operatorOf(config)?.readsAgain?.(config) ?? []),
  );
  const files = [...paths].flatMap((path) => {
    const now = digest(path);
    return now === undefined ? [] : [{ path, sha256: now }];
  });
  return files.length === 0 ? {} : { files };
}

/** Those of these files that have another content now. One that cannot be read is reported by the stage that reads it. */
export function changedFiles({ files = [] }: FilesReadAgain): string[] {
  return files
    .filter(({ path, sha256: before }) => (digest(path) ?? before) !== before)
    .map(({ path }) => path);
}

function digest(path: string): string | undefined {
  try {
    return sha256(readFileSync(path));
  } catch {
    return undefined;
  }
}
