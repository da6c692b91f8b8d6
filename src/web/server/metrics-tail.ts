import { closeSync, fstatSync, readSync } from "node:fs";
import type { RecordedEvent } from "../../events/event.ts";
import { openOwn } from "../../formats/files/own-file.ts";
import { MetricsLines } from "../../events/metrics-lines.ts";

/** The most that is read at once: the page of another run need not wait long. In bytes. */
const SLICE = 4 << 20;

/** Follows a `metrics.jsonl` that grows: reads what is new, whole lines alone. */
export class MetricsTail {
  readonly #path: string;
  /** The end of the last whole line that was read. A resumption cuts what a kill has left behind it. */
  #offset = 0;
  readonly #lines: MetricsLines;
  #slice = SLICE;

  constructor(path: string) {
    this.#path = path;
    this.#lines = new MetricsLines(path);
  }

  /**
   * The next new events, at most a slice of the file; empty if there are none. Undefined if the file has become shorter:
   * then it is another one. Throws FileCorrupt.
   */
  next(): RecordedEvent[] | undefined {
    let file: number;
    try {
      file = openOwn(this.#path, "read");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
    try {
      const { size } = fstatSync(file);
      if (size < this.#offset) return undefined;
      if (size === this.#offset) return [];
      const bytes = Buffer.alloc(Math.min(this.#slice, size - this.#offset));
      const read = bytes.subarray(0, readSync(file, bytes, 0, bytes.length, this.#offset));
      const end = read.lastIndexOf(0x0a) + 1;
      // A line that is longer than a slice.
      if (end === 0 && read.length === this.#slice) {
        this.#slice *= 2;
        return this.next();
      }
      this.#slice = SLICE;
      this.#offset += end;
      return [...this.#lines.all(read.subarray(0, end))];
    } finally {
      closeSync(file);
    }
  }
}
