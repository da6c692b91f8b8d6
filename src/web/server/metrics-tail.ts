import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { RecordedEvent } from "../../events/event.ts";
import { eventOfLine } from "../../events/metrics-file.ts";

/** The most that is read at once: the page of another run need not wait long. In bytes. */
const SLICE = 4 << 20;

/** Follows a `metrics.jsonl` that grows: reads what is new, whole lines alone. */
export class MetricsTail {
  readonly #path: string;
  /** The end of the last whole line that was read. A resumption cuts what a kill has left behind it. */
  #offset = 0;
  #lines = 0;
  #slice = SLICE;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * The next new events, at most a slice of the file; empty where there are none. Undefined where the file has become shorter
   * than it was: then it is another one. Throws FileCorrupt.
   */
  next(): RecordedEvent[] | undefined {
    let file: number;
    try {
      file = openSync(this.#path, "r");
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
      const lines = read.toString("utf8", 0, end).split("\n").slice(0, -1);
      return lines.map((line) => eventOfLine(this.#path, line, this.#lines++));
    } finally {
      closeSync(file);
    }
  }
}
