import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeOwn } from "../../formats/files/atomic-file.ts";
import { readOwnText } from "../../formats/files/own-file.ts";
import { sealedJson, unsealedJson } from "../../formats/sealed-json.ts";
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
  if (existsSync(path)) return readId(path);
  const run = randomId();
  writeOwn(path, sealedJson({ run }));
  return run;
}

function readId(path: string): string {
  let why = "is damaged: it holds no name";
  try {
    const { run } = unsealedJson(readOwnText(path));
    // It is a part of the subjects of messages.
    if (typeof run === "string" && /^[0-9a-f]{16}$/.test(run)) return run;
  } catch (error) {
    why = error instanceof SyntaxError ? "is damaged: it is no JSON" : (error as Error).message;
  }
  throw new RunFolderInvalid(
    `${path} ${why}. Remove it: the run then has a new name in its fleet, and loses nothing`,
  );
}
