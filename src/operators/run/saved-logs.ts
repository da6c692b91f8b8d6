import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { hasLine } from "../../events/metrics-file.ts";
import { writeAtomically } from "../../formats/files/atomic-file.ts";
import { FileCorrupt } from "../../formats/files/file-corrupt.ts";
import { reading } from "../../formats/files/reading.ts";
import { hasRecord } from "../../formats/record-log.ts";
import { sealedJson, unsealedJson } from "../../formats/sealed-json.ts";

/** The first byte of a log's last record or line, and the byte after it. */
type LastRecord = readonly [start: number, end: number];

/** A file of records or lines that grows. */
export interface GrowingFile {
  readonly path: string;
  /** Where its last record or line begins. */
  readonly last: number;
  /** Its length. */
  readonly bytes: number;
}

/** The one that has lines; the others have records. */
const METRICS = "metrics.jsonl";

/**
 * Notes beside the logs of a run, in `logs.json`, which records and lines of them were synced: the end of a log alone does not tell
 * damage from a record that a kill has cut short.
 */
export class SavedLogs {
  readonly #folder: string;
  readonly #saved: Map<string, LastRecord>;
  #written: string;

  /** Takes in what earlier parts of the run have noted. Throws FileCorrupt. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#saved = readSaved(folder);
    this.#written = this.#text();
  }

  /** Takes in the end of a log that is synced. */
  add({ bytes, last, path }: GrowingFile): void {
    if (bytes > last) this.#saved.set(relative(this.#folder, path), [last, bytes]);
  }

  /** To be called before a log is shortened or removed. Throws FileNotWritten. */
  forget(path: string): void {
    if (this.#saved.delete(relative(this.#folder, path))) this.write();
  }

  /** Writes the notes, synced, where they have changed. Throws FileNotWritten. */
  write(): void {
    const text = this.#text();
    if (text === this.#written) return;
    writeAtomically(notesPath(this.#folder), text);
    this.#written = text;
  }

  #text(): string {
    return sealedJson(
      Object.fromEntries([...this.#saved].toSorted(([one], [other]) => (one < other ? -1 : 1))),
    );
  }
}

/**
 * Looks whether the logs of a run still have what was saved of them. Throws FileCorrupt where one does not, or where the notes are
 * damaged; with `onDamage`, all that is damaged is told to it instead. Examples may be gone when a run has finished
 * (`ludoflow prune`), but not where it goes on: `goesOn`.
 */
export function checkSavedLogs(
  folder: string,
  { goesOn = false, onDamage = raise }: SavedLogsCheck = {},
): void {
  let saved: Map<string, LastRecord>;
  try {
    saved = readSaved(folder);
  } catch (error) {
    if (!(error instanceof FileCorrupt)) throw error;
    return onDamage(error);
  }
  for (const [log, [start, end]] of saved) {
    const path = join(folder, log);
    if (!goesOn && log.startsWith("examples/") && !existsSync(path)) continue;
    const isThere = log === METRICS ? hasLine : hasRecord;
    if (!isThere(path, start, end))
      onDamage(
        new FileCorrupt(
          path,
          `is damaged: the ${log === METRICS ? "line" : "record"} that was saved at bytes ${start} to ${end} is not there. Put back a copy of the file`,
        ),
      );
  }
}

interface SavedLogsCheck {
  readonly goesOn?: boolean;
  readonly onDamage?: (damage: FileCorrupt) => void;
}

function raise(damage: FileCorrupt): never {
  throw damage;
}

function readSaved(folder: string): Map<string, LastRecord> {
  const path = notesPath(folder);
  if (!existsSync(path)) return new Map();
  const text = reading(path, () => readFileSync(path, "utf8"));
  try {
    return new Map(Object.entries(unsealedJson(text, []) as Record<string, LastRecord>));
  } catch (error) {
    if (error instanceof SyntaxError) throw new FileCorrupt(path, "is damaged: it is no JSON");
    throw new FileCorrupt(path, (error as Error).message);
  }
}

function notesPath(folder: string): string {
  return join(folder, "logs.json");
}
