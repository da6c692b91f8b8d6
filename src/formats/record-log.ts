import { closeSync, fstatSync, fsyncSync, ftruncateSync, readSync } from "node:fs";
import { writeOwn } from "./files/atomic-file.ts";
import { crc32c } from "./crc32c.ts";
import { FileCorrupt } from "./files/file-corrupt.ts";
import { writing } from "./files/file-not-written.ts";
import { openOwn } from "./files/own-file.ts";
import { reading } from "./files/reading.ts";

/**
 * An append-only file of byte records that survives a kill at any moment.
 *
 * Layout, all integers little-endian:
 *
 * | bytes | what |
 * |---|---|
 * | 8 | `LUDOLOG` and a line feed |
 * | 4 | uint32 format version, 1 |
 * | 4 | uint32 CRC-32C of the 12 bytes before |
 * | then, for each record: 4 | uint32 length n of the record, at most 2^30 |
 * | 4 | uint32 CRC-32C of the length's four bytes followed by the record |
 * | n | the record |
 *
 * The checksum covers the length. So a tail of zero bytes, which some file systems leave after a power cut, is not taken
 * for a list of empty records. The bytes depend only on the records, not on when they were flushed.
 */
const HEADER = makeHeader();
/** Bytes before each record: its length and checksum. */
export const FRAME = 8;
/** The most bytes of one record. */
export const LONGEST_RECORD = 1 << 30;
const WINDOW = 1 << 20;

/** The content of a log after recovery. */
export interface LogExtent {
  /** Whole records. */
  readonly records: number;
  /** Where the last whole record begins; the end of the header if there is none. */
  readonly last: number;
  /** Length of the file up to the end of the last whole record, header included. */
  readonly bytes: number;
  /** Bytes after that: a record that was being written when the program died. */
  readonly droppedBytes: number;
}

/**
 * Random access to the records that a log had when it was opened; a torn end is ignored. If whole records follow a damaged
 * one, the end is not torn but the log is damaged: `FileCorrupt`, as in `recoverLog`.
 */
export class RecordLogReader {
  readonly path: string;
  readonly #file: number;
  /** Where each record's frame begins, and the end of the last. */
  readonly #starts: number[];

  /** Scans the whole log once, checksums included. Throws `FileCorrupt`, or the system's error if it cannot be opened. */
  constructor(path: string) {
    this.path = path;
    this.#file = openOwn(path, "read");
    try {
      this.#starts = extent(this.#file, path).starts;
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
  }

  /** Number of whole records. */
  get records(): number {
    return Math.max(0, this.#starts.length - 1);
  }

  /** Record n, counted from 0; a copy. Throws `FileCorrupt`. */
  read(n: number): Uint8Array<ArrayBuffer> {
    const start = this.#starts[n];
    const end = this.#starts[n + 1];
    if (start === undefined || end === undefined)
      throw new RangeError(`${this.path} has ${this.records} records, no record ${n}`);
    const bytes = new Uint8Array(end - start);
    if (readFully(this.#file, this.path, bytes, start) < bytes.length || !isWhole(bytes))
      throw new FileCorrupt(
        this.path,
        `was changed while it was read: record ${n} does not match its checksum`,
      );
    return bytes.slice(FRAME);
  }

  /** Where record n begins in the file, for `readRecord`. */
  start(n: number): number {
    const start = this.#starts[n];
    if (start === undefined || n >= this.records)
      throw new RangeError(`${this.path} has ${this.records} records, no record ${n}`);
    return start;
  }

  /** All records in order. */
  *[Symbol.iterator](): Generator<Uint8Array<ArrayBuffer>, void, undefined> {
    for (let n = 0; n < this.records; n++) yield this.read(n);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Where the records of a log begin while others append to it: each look reads only what is new, and the last record known. */
export class GrowingLog {
  readonly #path: string;
  /** Where each record's frame begins, and the end of the last. */
  #starts: number[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  /** Where each whole record begins now; none if there is no file. Throws `FileCorrupt` if the log is damaged. */
  starts(): readonly number[] {
    // To read alone: the folder of a run that is looked at may be read-only.
    const file = openIfThere(this.#path, "read");
    if (file === undefined) return (this.#starts = []);
    try {
      const [last, end] = this.#starts.slice(-2);
      const goesOn = last !== undefined && end !== undefined && wholeEnd(file, this.#path, last) === end;
      if (goesOn) this.#starts = [...this.#starts.slice(0, -1), ...scan(file, this.#path, end)];
      else this.#starts = extent(file, this.#path).starts;
    } finally {
      closeSync(file);
    }
    return this.#starts.slice(0, -1);
  }
}

/**
 * Counts the records of a log while others append to it, by their lengths alone: for callers that count often and read none. A torn
 * or damaged record ends the count.
 */
export class RecordCount {
  readonly #path: string;
  #records = 0;
  /** Where the last record counted begins and ends, and its frame: as long as that is there, so is all before it. */
  #last = 0;
  #end = HEADER.length;
  #frame = new Uint8Array(FRAME);

  constructor(path: string) {
    this.#path = path;
  }

  /** The number of records now; 0 if there is no file. */
  now(): number {
    const file = openIfThere(this.#path, "read");
    if (file === undefined) return 0;
    try {
      const { size } = fstatSync(file);
      const frame = new Uint8Array(FRAME);
      if (
        readFully(file, this.#path, frame, this.#last) < FRAME ||
        frame.some((byte, i) => byte !== this.#frame[i])
      ) {
        this.#records = 0;
        this.#end = HEADER.length;
      }
      for (const next of frames(file, this.#path, this.#end)) {
        // A tail of zero bytes is no list of empty records: their checksums are not zero.
        if (next.end > size || next.frame.every((byte) => byte === 0)) break;
        this.#records++;
        this.#last = this.#end;
        this.#end = next.end;
        this.#frame.set(next.frame);
      }
      return this.#records;
    } finally {
      closeSync(file);
    }
  }
}

/** Bytes that are read at once to go through frames: those of many short records, and little beside a long one. */
const FRAMES_WINDOW = 1 << 16;

/** The frames of a log from one on, each with the end of its record, by their lengths alone. `frame` holds until the next one. */
function* frames(
  file: number,
  path: string,
  from: number,
): Generator<{ readonly frame: Uint8Array; readonly end: number }, void, undefined> {
  const window = Buffer.allocUnsafe(FRAMES_WINDOW);
  let [begin, got] = [from, 0];
  for (let at = from; ;) {
    if (at + FRAME > begin + got) {
      begin = at;
      got = readFully(file, path, window, at);
      if (got < FRAME) return;
    }
    const end = at + FRAME + window.readUInt32LE(at - begin);
    yield { frame: window.subarray(at - begin, at - begin + FRAME), end };
    at = end;
  }
}

/** Where the record that begins at a byte ends; undefined if it is not whole. */
function wholeEnd(file: number, path: string, start: number): number | undefined {
  const frame = new Uint8Array(FRAME);
  if (readFully(file, path, frame, start) < FRAME) return undefined;
  const bytes = new Uint8Array(
    Math.min(FRAME + new DataView(frame.buffer).getUint32(0, true), fstatSync(file).size),
  );
  return readFully(file, path, bytes, start) === bytes.length && isWhole(bytes)
    ? start + bytes.length
    : undefined;
}

/** Whether a log has a whole record from one byte to another, and the lengths of the records before it lead there. */
export function hasRecord(path: string, start: number, end: number): boolean {
  const file = openIfThere(path, "read");
  if (file === undefined) return false;
  try {
    if (wholeEnd(file, path, start) !== end) return false;
    let at = HEADER.length;
    for (const next of frames(file, path, at)) {
      if (at >= start) break;
      at = next.end;
    }
    return at === start;
  } finally {
    closeSync(file);
  }
}

/**
 * The number of whole records of a log that ends within the record from `start` to `end`: all records before it are whole, and it
 * is cut after its beginning. Otherwise undefined.
 */
export function recordsBeforeTorn(path: string, start: number, end: number): number | undefined {
  const file = openIfThere(path, "read");
  if (file === undefined) return undefined;
  try {
    if (fstatSync(file).size >= end) return undefined;
    const starts = [...scan(file, path)];
    if (starts.at(-1) !== start) return undefined;
    const frame = new Uint8Array(FRAME);
    const expected = new Uint8Array(FRAME);
    new DataView(expected.buffer).setUint32(0, end - start - FRAME, true);
    const got = Math.min(4, readFully(file, path, frame, start));
    return frame.subarray(0, got).every((byte, i) => byte === expected[i]) ? starts.length - 1 : undefined;
  } catch (error) {
    // It is not torn but damaged.
    if (error instanceof FileCorrupt) return undefined;
    throw error;
  } finally {
    closeSync(file);
  }
}

/**
 * Reads one record of a log whose place is known: `RecordLogReader.start`, or the writer's `bytes` before it was appended.
 * Throws `FileCorrupt`, or the system's error if the file cannot be read.
 */
export function readRecord(path: string, start: number): Uint8Array<ArrayBuffer> {
  const file = openOwn(path, "read");
  try {
    const frame = new Uint8Array(FRAME);
    if (readFully(file, path, frame, start) < FRAME)
      throw new FileCorrupt(path, `has no record at byte ${start}`);
    const length = new DataView(frame.buffer).getUint32(0, true);
    if (start + FRAME + length > fstatSync(file).size)
      throw new FileCorrupt(path, `ends within the record at byte ${start}`);
    const record = new Uint8Array(FRAME + length);
    record.set(frame);
    readFully(file, path, record.subarray(FRAME), start + FRAME);
    if (!isWhole(record))
      throw new FileCorrupt(path, `is damaged: the record at byte ${start} does not match its checksum`);
    return record.subarray(FRAME);
  } finally {
    closeSync(file);
  }
}

/**
 * Cuts a torn end off a log and says what was kept; makes an empty log if there is no file.
 *
 * The log is read from its start, and kept up to the first record whose frame is incomplete or whose checksum is wrong.
 * If the file is not a log, or if whole records follow the bad one, it stays unchanged and the error is `FileCorrupt`. A
 * kill tears only the end, so whole records after a bad one mean damage, and a cut would lose them.
 */
export function recoverLog(path: string): LogExtent {
  const file = writing(path, () => openIfThere(path, "change"));
  if (file === undefined) return startLog(path, 0);
  try {
    const { starts, size } = extent(file, path);
    const end = starts.at(-1);
    if (end === undefined) return startLog(path, size);
    if (end < size)
      writing(path, () => {
        ftruncateSync(file, end);
        fsyncSync(file);
      });
    return { records: starts.length - 1, last: starts.at(-2) ?? end, bytes: end, droppedBytes: size - end };
  } finally {
    closeSync(file);
  }
}

/** Keeps the first n records of a log and cuts the rest. `FileCorrupt` if it has fewer; 0 makes a missing log. */
export function truncateLog(path: string, n: number): void {
  const { records } = recoverLog(path);
  if (records < n) throw new FileCorrupt(path, `has ${records} whole records, ${n} are needed`);
  if (records === n) return;
  const file = writing(path, () => openOwn(path, "change"));
  try {
    let kept = 0;
    for (const start of scan(file, path))
      if (kept++ === n)
        return writing(path, () => {
          ftruncateSync(file, start);
          fsyncSync(file);
        });
  } finally {
    closeSync(file);
  }
}

/** Where each record's frame begins and the end of the last whole one, in a file of `size` bytes. */
function extent(file: number, path: string): { readonly starts: number[]; readonly size: number } {
  // Before the scan: what a writer appends meanwhile must not look like records after a damaged one.
  const { size } = fstatSync(file);
  const starts = [...scan(file, path)];
  const end = starts.at(-1);
  if (end === undefined || end >= size) return { starts, size };
  const next = nextWhole(file, path, end, size);
  if (next === undefined) return { starts, size };
  throw new FileCorrupt(
    path,
    `is damaged in the middle: record ${starts.length - 1}, at byte ${end}, does not match its checksum, and whole records follow it from byte ${next} on. Put back a copy of the file; without one, "truncate -s ${end} FILE" gives up that record and all after it`,
  );
}

/** The most bytes that are checked in looking for a record after one whose length is damaged too. */
const MOST_CHECKED = 64 << 20;

/** Where the first whole record after the bad one at `bad` begins, before `size`; undefined if there is none. */
function nextWhole(file: number, path: string, bad: number, size: number): number | undefined {
  const frame = new Uint8Array(FRAME);
  const lengthAt = (start: number): number =>
    readFully(file, path, frame, start) < FRAME ? Infinity : new DataView(frame.buffer).getUint32(0, true);
  const wholeAt = (start: number, length: number): boolean => {
    const bytes = new Uint8Array(FRAME + length);
    return readFully(file, path, bytes, start) === bytes.length && isWhole(bytes);
  };
  // Where only the record is damaged, its length leads to the next.
  for (let start = bad; ;) {
    const length = lengthAt(start);
    const next = start + FRAME + length;
    if (length > LONGEST_RECORD || next > size) break;
    if (start > bad && wholeAt(start, length)) return start;
    start = next;
  }
  // Otherwise a record may begin anywhere: the rest is read in one window, up to a limit that bounds the time.
  const rest = new Uint8Array(Math.min(size - bad, MOST_CHECKED));
  const got = readFully(file, path, rest, bad);
  const view = new DataView(rest.buffer);
  for (let at = 1, checked = 0; at + FRAME <= got && checked < MOST_CHECKED; at++) {
    const length = view.getUint32(at, true);
    if (at + FRAME + length > got) continue;
    checked += FRAME + length;
    if (isWhole(rest.subarray(at, at + FRAME + length))) return bad + at;
  }
  return undefined;
}

/** Yields where each record's frame begins, then the end of the last whole one; nothing if even the header is torn. */
function* scan(file: number, path: string, from = HEADER.length): Generator<number, void, undefined> {
  const head = new Uint8Array(HEADER.length);
  const got = readFully(file, path, head, 0);
  if (HEADER.subarray(0, Math.min(8, got)).some((byte, i) => head[i] !== byte))
    throw new FileCorrupt(path, "is no record log");
  if (got < HEADER.length) return;
  const version = new DataView(head.buffer).getUint32(8, true);
  if (HEADER.some((byte, i) => head[i] !== byte))
    throw new FileCorrupt(path, `is a record log of version ${version}; this program reads version 1`);
  const { size } = fstatSync(file);
  let window = new Uint8Array(Math.min(WINDOW, Math.max(FRAME, size - from)));
  let filled = 0;
  let at = 0;
  let offset = from;
  for (;;) {
    yield offset;
    // The frame first, then the record: each time as much as is missing is read, and the window moved or grown.
    let needed = FRAME;
    for (let part = 0; part < 2; part++) {
      if (filled - at < needed) {
        const wider = needed > window.length ? new Uint8Array(needed) : window;
        wider.set(window.subarray(at, filled));
        window = wider;
        filled -= at;
        at = 0;
        filled += readFully(file, path, window.subarray(filled), offset + filled);
        if (filled < needed) return;
      }
      const length = new DataView(window.buffer, at).getUint32(0, true);
      if (length > LONGEST_RECORD) return;
      // A frame of garbage must not make a buffer larger than the file.
      if (offset + FRAME + length > size) return;
      needed = FRAME + length;
    }
    if (!isWhole(window.subarray(at, at + needed))) return;
    at += needed;
    offset += needed;
  }
}

function isWhole(framed: Uint8Array): boolean {
  const stored = new DataView(framed.buffer, framed.byteOffset).getUint32(4, true);
  return stored === crc32c(framed.subarray(FRAME), crc32c(framed.subarray(0, 4)));
}

function startLog(path: string, droppedBytes: number): LogExtent {
  writeOwn(path, HEADER);
  return { records: 0, last: HEADER.length, bytes: HEADER.length, droppedBytes };
}

function openIfThere(path: string, mode: "read" | "change"): number | undefined {
  try {
    return openOwn(path, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Reads as many bytes as there are, up to the length of the array. Throws `FileCorrupt` if `path`, the open file, cannot be read. */
function readFully(file: number, path: string, into: Uint8Array, position: number): number {
  return reading(path, () => {
    let done = 0;
    while (done < into.length) {
      const count = readSync(file, into, done, into.length - done, position + done);
      if (count === 0) break;
      done += count;
    }
    return done;
  });
}

function makeHeader(): Uint8Array {
  const header = new Uint8Array(16);
  header.set(new TextEncoder().encode("LUDOLOG\n"));
  const view = new DataView(header.buffer);
  view.setUint32(8, 1, true);
  view.setUint32(12, crc32c(header.subarray(0, 12)), true);
  return header;
}
