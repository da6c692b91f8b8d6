import { closeSync, createReadStream, existsSync, fstatSync, readSync, statSync } from "node:fs";
import { crc32c } from "../formats/crc32c.ts";
import { AppendedFile, type SyncedEnd } from "../formats/files/appended-file.ts";
import { FileCorrupt } from "../formats/files/file-corrupt.ts";
import { openOwn } from "../formats/files/own-file.ts";
import { readWholeFile } from "../formats/files/whole-file.ts";
import type { RecordedEvent } from "./event.ts";
import { checksumEnd, FIRST_KEYS, MetricsLines } from "./metrics-lines.ts";
import { initialState, reduce, type RunState } from "./run-state.ts";

const LINE_FEED = 0x0a;

/**
 * Appends events to `metrics.jsonl` as they happen, one JSON object per line. The first line also has the `format` of
 * the file. The last key of each line, `crc`, is a checksum of everything before it in the file (`metrics-lines.ts`).
 *
 * JSON has no NaN and no infinities: they are written as null and read as NaN. Events use null for nothing else.
 *
 * After a failed write or sync it accepts no more events, and throws the same `FileNotWritten` again.
 */
export class MetricsFile {
  readonly path: string;
  readonly #file: AppendedFile;
  #end: SyncedEnd;
  #synced: SyncedEnd | undefined;
  /** The CRC-32C of the file so far. */
  #crc: number;

  private constructor(file: AppendedFile, { bytes, crc, last }: WholeLines) {
    this.path = file.path;
    this.#file = file;
    this.#end = { last, bytes };
    this.#crc = crc;
  }

  /** The end of the file that was synced last; undefined before the first `flush`. */
  get synced(): SyncedEnd | undefined {
    return this.#synced;
  }

  /**
   * Opens the file for appending, or creates it; removes an unfinished last line. `confirmed` is the length that an earlier sync has
   * confirmed (see `AppendedFile.open`). Throws `FileNotWritten`, `FileCorrupt`.
   */
  static open(path: string, confirmed?: number): MetricsFile {
    let lines: WholeLines | undefined;
    const file = AppendedFile.open(path, (open) => (lines = wholeLines(open)), confirmed);
    return new MetricsFile(file, lines!);
  }

  /**
   * Appends one event. It survives a kill of the program at once, and a power failure after `flush` or the next checkpoint:
   * all events before a checkpoint are on disk before the checkpoint is reported as saved. Throws `FileNotWritten`.
   */
  record(event: RecordedEvent): void {
    const { bytes } = this.#end;
    const stored = bytes === 0 ? { ...FIRST_KEYS, ...event } : event;
    const text = new TextEncoder().encode(JSON.stringify(stored).slice(0, -1));
    const crc = crc32c(text, this.#crc);
    const line = Buffer.concat([text, checksumEnd(crc), Uint8Array.of(LINE_FEED)]);
    this.#file.write(line);
    this.#end = { last: bytes, bytes: bytes + line.length };
    this.#crc = crc32c(line.subarray(text.length), crc);
    if (event.type === "checkpoint") this.flush();
  }

  /** Syncs the file if it is not synced, so that all events so far survive a power failure. Throws `FileNotWritten`. */
  flush(): void {
    this.#file.sync();
    this.#synced = this.#end;
  }

  /** Flushes and closes. */
  close(): void {
    try {
      this.flush();
    } finally {
      this.#file.close();
    }
  }
}

/**
 * The events of a `metrics.jsonl`, in order. A last line without a line end, as a kill may leave it, is skipped.
 *
 * Throws `FileCorrupt` for any other line that is no event or does not match its checksum, with its number, and for a file
 * of another format; throws the system's error if the file cannot be read. With `onDamage`, lines that are damaged are
 * left out instead, and it is called with the reason.
 */
export function readMetrics(path: string, onDamage?: (damage: FileCorrupt) => void): RecordedEvent[] {
  if (statSync(path).isDirectory()) throw new FileCorrupt(path, "is a folder, not a file of events");
  const bytes = readWholeFile(path, openOwn(path, "read"));
  const lines = new MetricsLines(path, onDamage);
  return [...lines.all(bytes)];
}

/** The events that `readMetrics` lists, read line by line; none if there is no file. Throws as `readMetrics` does. */
export async function* eachEvent(path: string): AsyncGenerator<RecordedEvent, void, undefined> {
  if (!existsSync(path)) return;
  const lines = new MetricsLines(path);
  let rest: Uint8Array = new Uint8Array();
  const file = openOwn(path, "read");
  for await (const chunk of createReadStream(path, { fd: file }) as AsyncIterable<Uint8Array>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    yield* lines.all(bytes);
    rest = bytes.subarray(bytes.lastIndexOf(LINE_FEED) + 1);
  }
}

/** The events that `readMetrics` lists; none if there is no file. Throws as `readMetrics` does. */
export function readEvents(path: string): RecordedEvent[] {
  return existsSync(path) ? readMetrics(path) : [];
}

/** The state of a run after the events of its `metrics.jsonl`; the initial state if there is no file. Throws as `readMetrics` does. */
export function readState(path: string): RunState {
  return readEvents(path).reduce(reduce, initialState);
}

/** Whether a file has a line from one byte up to another one, its line feed included. The text of the line is not read. */
export function hasLine(path: string, start: number, end: number): boolean {
  if (!existsSync(path)) return false;
  const file = openOwn(path, "read");
  try {
    const isEnd = (at: number) => {
      const byte = new Uint8Array(1);
      return readSync(file, byte, 0, 1, at) === 1 && byte[0] === LINE_FEED;
    };
    return isEnd(end - 1) && (start === 0 || isEnd(start - 1));
  } finally {
    closeSync(file);
  }
}

/** Whether the last line of a file is not whole: its line feed is missing. */
export function hasTornLine(path: string): boolean {
  if (!existsSync(path)) return false;
  const file = openOwn(path, "read");
  try {
    const { size } = fstatSync(file);
    const last = new Uint8Array(1);
    return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== LINE_FEED;
  } finally {
    closeSync(file);
  }
}

/** A file up to and including its last line feed. */
interface WholeLines extends SyncedEnd {
  /** CRC-32C of these bytes. */
  readonly crc: number;
  /** Length of the file. */
  readonly size: number;
}

function wholeLines(file: number): WholeLines {
  const { size } = fstatSync(file);
  const window = new Uint8Array(1 << 20);
  let last = 0;
  let bytes = 0;
  let crc = 0;
  let crcOfAll = 0;
  for (let done = 0; done < size;) {
    const count = readSync(file, window, 0, Math.min(window.length, size - done), done);
    if (count === 0) break;
    const read = window.subarray(0, count);
    const end = read.lastIndexOf(LINE_FEED) + 1;
    crcOfAll = crc32c(read.subarray(0, end), crcOfAll);
    if (end > 0) {
      const before = end === 1 ? -1 : read.lastIndexOf(LINE_FEED, end - 2);
      last = before < 0 ? bytes : done + before + 1;
      bytes = done + end;
      crc = crcOfAll;
    }
    crcOfAll = crc32c(read.subarray(end), crcOfAll);
    done += count;
  }
  return { last, bytes, crc, size };
}
