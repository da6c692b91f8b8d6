import {
  closeSync,
  createReadStream,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from "node:fs";
import { writeFully } from "../formats/files/atomic-file.ts";
import { FileCorrupt } from "../formats/files/file-corrupt.ts";
import { writing } from "../formats/files/file-not-written.ts";
import type { RecordedEvent } from "./event.ts";
import { NOTHING_TOLD, reduce, type RunState } from "./run-state.ts";

/** The format of the file, in its first line. Files without it, of earlier versions, have the same format. */
const FORMAT = "ludoflow metrics 1";

/**
 * Appends events to `metrics.jsonl` as they happen, one JSON object per line. The first line also has the `format` of
 * the file.
 *
 * JSON has no NaN and no infinities: they are written as null and read as NaN. Events use null for nothing else.
 */
export class MetricsFile {
  readonly path: string;
  readonly #file: number;
  #empty: boolean;

  private constructor(path: string, file: number, empty: boolean) {
    this.path = path;
    this.#file = file;
    this.#empty = empty;
  }

  /** Opens the file for appending, or creates it; removes an unfinished last line. Throws `FileNotWritten`. */
  static open(path: string): MetricsFile {
    return writing(path, () => {
      const file = openSync(path, "a+");
      const size = fstatSync(file).size;
      const whole = wholeLines(file, size);
      if (whole < size) ftruncateSync(file, whole);
      return new MetricsFile(path, file, whole === 0);
    });
  }

  /**
   * Appends one event. It survives a kill of the program at once, and a power failure after `flush` or the next checkpoint:
   * what led to a checkpoint is on disk before anybody is told that the checkpoint is saved. Throws `FileNotWritten`.
   */
  record(event: RecordedEvent): void {
    const told = this.#empty ? { format: FORMAT, ...event } : event;
    this.#empty = false;
    const line = new TextEncoder().encode(`${JSON.stringify(told)}\n`);
    writing(this.path, () => writeFully(this.#file, line));
    if (event.type === "checkpoint") this.flush();
  }

  /** Syncs the file, so that all events so far survive a power failure. Throws `FileNotWritten`. */
  flush(): void {
    writing(this.path, () => fsyncSync(this.#file));
  }

  /** Flushes and closes. */
  close(): void {
    try {
      this.flush();
    } finally {
      closeSync(this.#file);
    }
  }
}

/**
 * The events of a `metrics.jsonl`, in order. A last line without a line end, as a kill may leave it, is skipped.
 *
 * Throws `FileCorrupt` for any other line that is no event, with its number, and for a file of another format; throws the
 * system's error where the file cannot be read.
 */
export function readMetrics(path: string): RecordedEvent[] {
  if (statSync(path).isDirectory()) throw new FileCorrupt(path, "is a folder, not a file of events");
  // After the last line feed there is nothing, or an unfinished line.
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
  return lines.map((line, i) => eventOfLine(path, line, i));
}

/** The events that `readMetrics` lists, read line by line; none where there is no file. Throws as `readMetrics` does. */
export async function* eachEvent(path: string): AsyncGenerator<RecordedEvent, void, undefined> {
  if (!existsSync(path)) return;
  let rest = "";
  let number = 0;
  for await (const chunk of createReadStream(path, "utf8") as AsyncIterable<string>) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    for (const line of lines) yield eventOfLine(path, line, number++);
  }
}

/** The event of a line, counted from 0. Throws `FileCorrupt`. */
export function eventOfLine(path: string, line: string, i: number): RecordedEvent {
  let event: unknown;
  try {
    event = JSON.parse(line, (_, value: unknown) => (value === null ? NaN : value));
  } catch {
    throw new FileCorrupt(path, `has a line ${i + 1} that is no JSON`);
  }
  if (i === 0 && isOfFormat(event)) {
    const { format, ...rest } = event;
    if (format !== FORMAT)
      throw new FileCorrupt(path, `is of the format "${String(format)}"; this program reads "${FORMAT}"`);
    event = rest;
  }
  if (!isEvent(event)) throw new FileCorrupt(path, `has a line ${i + 1} that is no event`);
  return event;
}

/** The state of a run as its `metrics.jsonl` tells it; where there is no file, nothing has been told. Throws as `readMetrics` does. */
export function readState(path: string): RunState {
  return existsSync(path) ? readMetrics(path).reduce(reduce, NOTHING_TOLD) : NOTHING_TOLD;
}

function isOfFormat(value: unknown): value is { readonly format: unknown } {
  return typeof value === "object" && value !== null && "format" in value;
}

function isEvent(value: unknown): value is RecordedEvent {
  const { type, time, elapsed } = Object(value) as Record<string, unknown>;
  return typeof type === "string" && typeof time === "string" && typeof elapsed === "number";
}

/** Length of the file up to and including its last line feed; searches from the end. */
function wholeLines(file: number, size: number): number {
  const window = new Uint8Array(65536);
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - window.length);
    const count = readSync(file, window, 0, end - start, start);
    const last = window.subarray(0, count).lastIndexOf(0x0a);
    if (last >= 0) return start + last + 1;
    end = start;
  }
  return 0;
}
