import { closeSync, fsyncSync, openSync } from "node:fs";
import { writeFully } from "./files/atomic-file.ts";
import { crc32c } from "./crc32c.ts";
import { writing } from "./files/file-not-written.ts";
import { FRAME, type LogExtent, LONGEST_RECORD, recoverLog } from "./record-log.ts";

const BUFFER = 1 << 20;

/** Writes records at the end of a log (layout: `record-log.ts`). One writer at a time. */
export class RecordLogWriter {
  readonly path: string;
  readonly #file: number;
  readonly #buffer = new Uint8Array(BUFFER);
  readonly #frame = new Uint8Array(FRAME);
  readonly #frameView = new DataView(this.#frame.buffer);
  #pending = 0;
  #records: number;
  #last: number;
  #bytes: number;

  private constructor(path: string, file: number, { bytes, last, records }: LogExtent) {
    this.path = path;
    this.#file = file;
    this.#records = records;
    this.#last = last;
    this.#bytes = bytes;
  }

  /** Opens a log for appending, a new one where there is none; a torn end is cut. Throws `FileNotWritten`, `FileCorrupt`. */
  static open(path: string): RecordLogWriter {
    const extent = recoverLog(path);
    return writing(path, () => new RecordLogWriter(path, openSync(path, "a"), extent));
  }

  /** The number of records in the log, including those that are not flushed yet. */
  get records(): number {
    return this.#records;
  }

  /** Where the last record begins; the end of the header where there is none. */
  get last(): number {
    return this.#last;
  }

  /** The length of the log in bytes, including records that are not flushed yet. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Appends a record of at most 2^30 bytes. It is safe from a kill only after `drain` or `flush`. Throws `FileNotWritten`. */
  append(record: Uint8Array): void {
    if (record.length > LONGEST_RECORD)
      throw new RangeError(`a record of ${record.length} bytes is too long`);
    this.#frameView.setUint32(0, record.length, true);
    this.#frameView.setUint32(4, crc32c(record, crc32c(this.#frame.subarray(0, 4))), true);
    this.#put(this.#frame);
    this.#put(record);
    this.#records++;
    this.#last = this.#bytes;
    this.#bytes += FRAME + record.length;
  }

  /** Hands all appended records to the operating system: then they survive a kill. Throws `FileNotWritten`. */
  drain(): void {
    const pending = this.#pending;
    this.#pending = 0;
    if (pending > 0) writing(this.path, () => writeFully(this.#file, this.#buffer.subarray(0, pending)));
  }

  /** Writes and syncs all appended records: then they survive a power cut. Throws `FileNotWritten`. */
  flush(): void {
    this.drain();
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

  #put(bytes: Uint8Array): void {
    if (this.#pending + bytes.length > BUFFER) this.drain();
    if (bytes.length > BUFFER) writing(this.path, () => writeFully(this.#file, bytes));
    else {
      this.#buffer.set(bytes, this.#pending);
      this.#pending += bytes.length;
    }
  }
}
