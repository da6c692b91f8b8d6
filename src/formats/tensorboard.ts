import { fstatSync } from "node:fs";
import { join } from "node:path";
import { crc32c } from "./crc32c.ts";
import { AppendedFile } from "./files/appended-file.ts";
import { encodeMessage, type MessageFields } from "./protobuf.ts";

/** One figure at one point of a curve. */
export interface Scalar {
  /** For example `curve/greedy/mean`: TensorBoard groups charts by the part before the first slash. */
  readonly tag: string;
  readonly value: number;
  /** Place on the horizontal axis, an integer. */
  readonly step: number;
  /** Seconds since 1970, UTC. */
  readonly wallTime: number;
}

/**
 * The messages of TensorFlow's `event.proto` and `summary.proto` as far as scalars need them.
 *
 * Field numbers are those of tensorflow/core/util/event.proto and tensorflow/core/framework/summary.proto.
 */
const value: MessageFields = { tag: [1, "string"], simpleValue: [2, "float"] };
const summary: MessageFields = { value: [1, () => value] };
const event: MessageFields = {
  wallTime: [1, "double"],
  step: [2, "int"],
  fileVersion: [3, "string"],
  summary: [5, () => summary],
};

/**
 * Writes scalars to a TensorBoard event file.
 *
 * The file is a sequence of TFRecords, each an `Event`; the first names the version, `brain.Event:2`. Each record is
 * handed to the system at once, so that a running TensorBoard sees it. Nothing is synced, since `metrics.jsonl` has all
 * that is needed to make the file again.
 */
export class TensorBoardWriter {
  readonly path: string;
  readonly #file: AppendedFile;

  /** Opens `events.out.tfevents.SECONDS.ludoflow` in `folder`, which must exist. Throws `FileNotWritten`. */
  constructor(folder: string, wallTime: number) {
    const seconds = String(Math.floor(wallTime)).padStart(10, "0");
    this.path = join(folder, `events.out.tfevents.${seconds}.ludoflow`);
    this.#file = AppendedFile.open(this.path, whole, Infinity);
    this.#event({ wallTime, fileVersion: "brain.Event:2" });
  }

  /** Throws `FileNotWritten`. */
  scalar({ tag, value, step, wallTime }: Scalar): void {
    this.#event({ wallTime, step, summary: { value: [{ tag, simpleValue: value }] } });
  }

  close(): void {
    this.#file.close();
  }

  #event(message: object): void {
    this.#file.write(tfRecord(encodeMessage(message, event)));
  }
}

function whole(file: number): { readonly bytes: number; readonly size: number } {
  const { size } = fstatSync(file);
  return { bytes: size, size };
}

/**
 * A record of a TFRecord file (tensorflow/core/lib/io/record_writer.h): length as uint64, masked CRC-32C of the length,
 * the data, masked CRC-32C of the data; all little-endian.
 */
export function tfRecord(data: Uint8Array): Uint8Array {
  const record = new Uint8Array(8 + 4 + data.length + 4);
  const view = new DataView(record.buffer);
  view.setBigUint64(0, BigInt(data.length), true);
  view.setUint32(8, maskedCrc32c(record.subarray(0, 8)), true);
  record.set(data, 12);
  view.setUint32(12 + data.length, maskedCrc32c(data), true);
  return record;
}

/**
 * The checksum as TFRecord stores it: rotated right by 15 bits, plus 0xa282ead8 (tensorflow/core/lib/hash/crc32c.h), so
 * that the checksum of data that itself holds checksums stays good.
 */
export function maskedCrc32c(bytes: Uint8Array): number {
  const crc = crc32c(bytes);
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
