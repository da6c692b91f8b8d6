import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { hasLine, hasTornLine, readState } from "../../events/metrics-file.ts";
import type { SyncedEnd } from "../../formats/files/appended-file.ts";
import { writeOwn } from "../../formats/files/atomic-file.ts";
import { FileCorrupt } from "../../formats/files/file-corrupt.ts";
import { NOT_WRITTEN } from "../../formats/files/file-not-written.ts";
import { hasRecord, recordsBeforeTorn } from "../../formats/record-log.ts";
import { counted } from "../../messages/counted.ts";
import { readSealed, sealedJson } from "../../formats/sealed-json.ts";

/** The first byte of a log's last record or line, and the byte after it. */
type LastRecord = readonly [start: number, end: number];

/** A file of records or lines that grows. */
export interface GrowingFile {
  readonly path: string;
  /** Its end when it was synced last; undefined before. */
  readonly synced: SyncedEnd | undefined;
}

/** The one that has lines; the others have records. */
const METRICS = "metrics.jsonl";

/**
 * Notes beside the logs of a run, in `logs.json`, which records and lines of them were synced: the end of a log alone does not
 * distinguish damage from a record that a kill has truncated.
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

  /** Takes in the end of a log as far as it is synced. */
  add({ path, synced }: GrowingFile): void {
    if (synced === undefined || synced.bytes === synced.last) return;
    this.#saved.set(relative(this.#folder, path), [synced.last, synced.bytes]);
  }

  /** The length up to which a log was synced; 0 if nothing is noted of it. */
  lengthOf(path: string): number {
    return this.#saved.get(relative(this.#folder, path))?.[1] ?? 0;
  }

  /** To be called before logs are shortened or removed. Throws FileNotWritten. */
  forget(...paths: readonly string[]): void {
    for (const path of paths) this.#saved.delete(relative(this.#folder, path));
    this.write();
  }

  /** Writes the notes, synced, if they have changed. Throws FileNotWritten. */
  write(): void {
    const text = this.#text();
    if (text === this.#written) return;
    writeOwn(notesPath(this.#folder), text);
    this.#written = text;
  }

  #text(): string {
    return sealedJson(
      Object.fromEntries([...this.#saved].toSorted(([one], [other]) => (one < other ? -1 : 1))),
    );
  }
}

/**
 * Looks whether the logs of a run still have what was saved of them. Throws FileCorrupt if one does not, or if the notes are
 * damaged; with `onDamage`, each damaged file is reported to it instead. Examples may be gone when a run has finished
 * (`ludoflow prune`), but not when it continues: `continues`. A log that `mendTornLogs` mends is not damaged.
 */
export function checkSavedLogs(
  folder: string,
  { continues = false, onDamage = raise }: SavedLogsCheck = {},
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
    if (!continues && log.startsWith("examples/") && !existsSync(path)) continue;
    const isThere = log === METRICS ? hasLine : hasRecord;
    if (!isThere(path, start, end) && tornRecords(folder, log, [start, end]) === undefined)
      onDamage(
        new FileCorrupt(
          path,
          `is damaged: the ${log === METRICS ? "line" : "record"} that was saved at bytes ${start} to ${end} is not there. Put back a copy of the file`,
        ),
      );
  }
}

/**
 * Takes back what an earlier version has noted of logs whose last write had failed: it noted that record as saved. Returns a
 * sentence for each such log. Call it when the run continues; opening a log then cuts the part of the record.
 *
 * Such a log is distinguished from a damaged one as follows: the run ended because a file could not be written, all records before the
 * noted one are whole, and the log ends within the noted one. Throws FileCorrupt, FileNotWritten.
 */
export function mendTornLogs(folder: string): string[] {
  const torn = [...readSaved(folder)].flatMap(([log, noted]) => {
    const records = tornRecords(folder, log, noted);
    return records === undefined ? [] : [{ log, records }];
  });
  if (torn.length === 0) return [];
  const notes = new SavedLogs(folder);
  notes.forget(...torn.map(({ log }) => join(folder, log)));
  return torn.map(
    ({ log, records }) =>
      `${join(folder, log)} ends within a record, because the disk took only a part of it. ${counted(records, "whole record")} before it ${records === 1 ? "is" : "are"} kept; what was being recorded is computed again`,
  );
}

/** The number of whole records of a log that a failed write has torn and an earlier version has noted as whole; otherwise undefined. */
function tornRecords(folder: string, log: string, [start, end]: LastRecord): number | undefined {
  const path = join(folder, log);
  if (log === METRICS || !existsSync(path)) return undefined;
  const records = recordsBeforeTorn(path, start, end);
  return records === undefined || !endedByFailedWrite(join(folder, METRICS)) ? undefined : records;
}

/** Whether the last part of a run ended because a file could not be written: by its last event, or, if that was not written either, by a torn line. */
function endedByFailedWrite(metrics: string): boolean {
  const { ended } = readState(metrics);
  if (ended === undefined) return hasTornLine(metrics);
  return ended.outcome === "failed" && ended.message?.startsWith(NOT_WRITTEN) === true;
}

interface SavedLogsCheck {
  readonly continues?: boolean;
  readonly onDamage?: (damage: FileCorrupt) => void;
}

function raise(damage: FileCorrupt): never {
  throw damage;
}

function readSaved(folder: string): Map<string, LastRecord> {
  const path = notesPath(folder);
  return new Map(existsSync(path) ? Object.entries(readSealed(path) as Record<string, LastRecord>) : []);
}

function notesPath(folder: string): string {
  return join(folder, "logs.json");
}
