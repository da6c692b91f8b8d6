import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeAtomically } from "../../formats/files/atomic-file.ts";
import { RunFolderInvalid } from "../../graph/folder/run-folder-invalid.ts";
import { randomId } from "../random-id.ts";

/** The file in a run's folder with its name in a fleet. */
const FLEET = "fleet.json";

/**
 * The name of a run in a fleet, which stays the same when it is resumed. It is random: date and seed can be equal on two
 * machines. Throws RunFolderInvalid, FileNotWritten.
 */
export function runId(folder: string): string {
  const path = join(folder, FLEET);
  if (existsSync(path)) {
    const found = /^\{"run":"([0-9a-f]{16})"\}\n$/.exec(readFileSync(path, "utf8"))?.[1];
    if (found === undefined)
      throw new RunFolderInvalid(
        `${path} is damaged: remove it; the run then has a new name in its fleet, and loses nothing`,
      );
    return found;
  }
  const run = randomId();
  writeAtomically(path, `${JSON.stringify({ run })}\n`);
  return run;
}
