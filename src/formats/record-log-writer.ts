import { crc32c } from "./crc32c.ts";
import { AppendedFile, type SyncedEnd } from "./files/appended-file.ts";
import { FRAME, type LogExtent, LONGEST_RECORD, recoverLog } from "./record-log.ts";

const BUFFER = 1 << 20;

/**
 * Writes records at the end of a log (layout: `record-log.ts`). One writer at a time. After a failed write or sync it takes nothing
 * more, and throws the same `FileNotWritten` again: the log is to be opened anew, which cuts a torn end.
 */
export class RecordLogWriter {
  readonly path: string;
  readonly #file: AppendedFile;
  readonly #buffer = new Uint8Array(BUFFER);
  readonly #frame = new Uint8Array(FRAME);
  readonly #frameView = new DataView(this.#frame.buffer);
  #pending = 0;
  #records: number;
  #last: number;
  #bytes: number;
  #synced: SyncedEnd | undefined;

  private constructor(file: AppendedFile, { bytes, last, records }: LogExtent) {
    this.path = file.path;
    this.#file = file;
    this.#records = records;
    this.#last = last;
    this.#bytes = bytes;
  }

  /**
   * Opens a log for appending, a new one if there is none; a torn end is cut. `confirmed` is the length that an earlier sync has
   * confirmed (see `AppendedFile.open`). Throws `FileNotWritten`, `FileCorrupt`.
   */
  static open(path: string, confirmed?: number): RecordLogWriter {
    const extent = recoverLog(path);
    const measured = { bytes: extent.bytes, size: extent.bytes };
    return new RecordLogWriter(
      AppendedFile.open(path, () => measured, confirmed),
      extent,
    );
  }

  /** The number of records in the log, including those that are not flushed yet. */
  get records(): number {
    return this.#records;
  }

  /** The end of the log that this writer has synced last; undefined before the first `flush`. */
  get synced(): SyncedEnd | undefined {
    return this.#synced;
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
    if (pending > 0) this.#file.write(this.#buffer.subarray(0, pending));
  }

  /** Writes and syncs all appended records: then they survive a power cut. Throws `FileNotWritten`. */
  flush(): void {
    this.drain();
    this.#file.sync();
    this.#synced = { last: this.#last, bytes: this.#bytes };
  }

  /** Flushes and closes. */
  close(): void {
    try {
      this.flush();
    } finally {
      this.#file.close();
    }
  }

  #put(bytes: Uint8Array): void {
    if (this.#pending + bytes.length > BUFFER) this.drain();
    if (bytes.length > BUFFER) this.#file.write(bytes);
    else {
      this.#buffer.set(bytes, this.#pending);
      this.#pending += bytes.length;
    }
  }
}
