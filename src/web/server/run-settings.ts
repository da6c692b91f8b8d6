import { existsSync } from "node:fs";
import { join } from "node:path";
import { FileCorrupt } from "../../formats/files/file-corrupt.ts";
import { readOwnText } from "../../formats/files/own-file.ts";
import type { RunSettings } from "../views/run-views.ts";
import type { FollowedRun } from "./followed-run.ts";

/** The experiment of a run and its manifest, as they are in its files. */
export function settingsOfRun({ folder, manifest }: FollowedRun): RunSettings {
  return {
    experiment: experimentText(join(folder, "experiment.yaml")),
    manifest: Object.entries(manifest ?? {}).map(([key, value]) => [
      key,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  };
}

/** The experiment as it is written; empty if the run has no such file. */
function experimentText(path: string): string {
  try {
    return existsSync(path) ? readOwnText(path) : "";
  } catch (error) {
    if (error instanceof FileCorrupt) return "";
    throw error;
  }
}
