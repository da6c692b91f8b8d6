import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { writeAtomically } from "../../formats/files/atomic-file.ts";
import { FileCorrupt } from "../../formats/files/file-corrupt.ts";
import { hasRecord } from "../../formats/record-log.ts";
import type { RecordLogWriter } from "../../formats/record-log-writer.ts";
import { sealedJson, unsealedJson } from "../../formats/sealed-json.ts";

/** The first byte of a log's last record, and the byte after it. */
type LastRecord = readonly [start: number, end: number];

/**
 * Notes beside the logs of a run, in `logs.json`, which records of them were synced: the end of a log alone does not tell damage
 * from a record that a kill has cut short.
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

  /** Takes in the end of a log, whose records are synced. */
  add(log: RecordLogWriter): void {
    if (log.records > 0) this.#saved.set(relative(this.#folder, log.path), [log.last, log.bytes]);
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
 * damaged; with `onDamage`, all that is damaged is told to it instead.
 */
export function checkSavedLogs(folder: string, onDamage: (damage: FileCorrupt) => void = raise): void {
  let saved: Map<string, LastRecord>;
  try {
    saved = readSaved(folder);
  } catch (error) {
    if (!(error instanceof FileCorrupt)) throw error;
    return onDamage(error);
  }
  for (const [log, [start, end]] of saved) {
    const path = join(folder, log);
    // Examples go when no stage reads them any more.
    if (log.startsWith("examples/") && !existsSync(path)) continue;
    if (!hasRecord(path, start, end))
      onDamage(
        new FileCorrupt(
          path,
          `is damaged: the record that was saved at bytes ${start} to ${end} is not there. Put back a copy of the file`,
        ),
      );
  }
}

function raise(damage: FileCorrupt): never {
  throw damage;
}

function readSaved(folder: string): Map<string, LastRecord> {
  const path = notesPath(folder);
  if (!existsSync(path)) return new Map();
  try {
    return new Map(
      Object.entries(unsealedJson(readFileSync(path, "utf8"), []) as Record<string, LastRecord>),
    );
  } catch (error) {
    if (error instanceof SyntaxError) throw new FileCorrupt(path, "is damaged: it is no JSON");
    throw new FileCorrupt(path, (error as Error).message);
  }
}

function notesPath(folder: string): string {
  return join(folder, "logs.json");
}
