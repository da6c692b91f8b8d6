import { crc32c } from "../formats/crc32c.ts";
import { FileCorrupt } from "../formats/files/file-corrupt.ts";
import { isPlainMap } from "../formats/plain-map.ts";
import type { RecordedEvent } from "./event.ts";

/** The format of a `metrics.jsonl`. Files that name none, of earlier versions, have the same format. */
const FORMAT = "ludoflow metrics 1";

/** Keys of the first line of a file: its format, and that every line ends with a checksum. Earlier versions had none. */
export const FIRST_KEYS = { format: FORMAT, checksums: "CRC-32C" } as const;

const PREFIX = `,"crc":"`;
const LENGTH = `${PREFIX}00000000"}`.length;

/** The end of a line: a checksum as eight hexadecimal digits. */
export function checksumEnd(crc: number): Uint8Array {
  return new TextEncoder().encode(`${PREFIX}${crc.toString(16).padStart(8, "0")}"}`);
}

/**
 * Reads the lines of a `metrics.jsonl` one after the other, and compares their checksums.
 *
 * The checksum of a line is the CRC-32C of all bytes of the file before its `,"crc":`, earlier lines included. So lines that
 * are missing, repeated or in another order are found too. A file that an earlier version began may have lines without
 * checksums first; after a line with a checksum, every line has one.
 */
export class MetricsLines {
  readonly #path: string;
  readonly #onDamage: ((damage: FileCorrupt) => void) | undefined;
  #line = 0;
  /** The CRC-32C of the lines so far. */
  #crc = 0;
  #checked = false;

  /**
   * The lines of a file. A damaged line is thrown as `FileCorrupt`; with `onDamage` it is left out, and reading
   * continues after it.
   */
  constructor(path: string, onDamage?: (damage: FileCorrupt) => void) {
    this.#path = path;
    this.#onDamage = onDamage;
  }

  /** The events of the next lines, those that are whole in these bytes. Throws `FileCorrupt`. */
  *all(bytes: Uint8Array): Generator<RecordedEvent, void, undefined> {
    for (let start = 0, end: number; (end = bytes.indexOf(LINE_FEED, start)) >= 0; start = end + 1) {
      const event = this.#next(bytes.subarray(start, end));
      if (event !== undefined) yield event;
    }
  }

  /** The event of the next line, without its line feed; undefined if the line is damaged. Throws `FileCorrupt`. */
  #next(line: Uint8Array): RecordedEvent | undefined {
    this.#line++;
    try {
      const checksum = checksumIn(line);
      const whole = this.#passes(line, checksum);
      const event = this.#eventOf(line, checksum !== undefined);
      if (!whole) throw this.#damaged(`a line ${this.#line} that does not match its checksum`);
      return event;
    } catch (error) {
      if (this.#onDamage === undefined || !(error instanceof FileCorrupt)) throw error;
      this.#onDamage(error);
      return undefined;
    }
  }

  /** Whether a line matches its checksum, or needs none; what follows is compared with the checksum that it names. */
  #passes(line: Uint8Array, checksum: number | undefined): boolean {
    if (checksum === undefined) {
      this.#crc = crc32c(LINE_END, crc32c(line, this.#crc));
      return !this.#checked;
    }
    this.#checked = true;
    const before = line.length - LENGTH;
    const whole = crc32c(line.subarray(0, before), this.#crc) === checksum;
    this.#crc = crc32c(LINE_END, crc32c(line.subarray(before), checksum));
    return whole;
  }

  #eventOf(line: Uint8Array, checksum: boolean): RecordedEvent {
    let event: unknown;
    try {
      const text = checksum ? `${decoder.decode(line.subarray(0, -LENGTH))}}` : decoder.decode(line);
      event = JSON.parse(text, (_, value: unknown) => (value === null ? NaN : value));
    } catch {
      throw this.#damaged(`a line ${this.#line} that is no JSON`);
    }
    if (this.#line === 1 && isPlainMap(event) && "format" in event) {
      const { checksums, format, ...rest } = event;
      if (format !== FORMAT)
        throw this.#corrupt(`is of the format "${String(format)}"; this program reads "${FORMAT}"`);
      if (checksums !== undefined) {
        const missed = !this.#checked;
        this.#checked = true;
        if (missed) throw this.#damaged("a line 1 without its checksum");
      }
      event = rest;
    }
    if (!isEvent(event)) throw this.#damaged(`a line ${this.#line} that is no event`);
    return event;
  }

  #damaged(what: string): FileCorrupt {
    return this.#corrupt(`has ${what}: it is damaged. Put back a copy of the file`);
  }

  #corrupt(what: string): FileCorrupt {
    return new FileCorrupt(this.#path, what);
  }
}

const LINE_FEED = 0x0a;
const LINE_END = Uint8Array.of(LINE_FEED);
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The checksum at the end of a line; undefined if there is none. */
function checksumIn(line: Uint8Array): number | undefined {
  const end = String.fromCharCode(...line.subarray(-LENGTH));
  const digits = /^,"crc":"([0-9a-f]{8})"\}$/.exec(end)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}

function isEvent(value: unknown): value is RecordedEvent {
  const { elapsed, time, type } = Object(value) as Record<string, unknown>;
  return typeof type === "string" && typeof time === "string" && typeof elapsed === "number";
}
