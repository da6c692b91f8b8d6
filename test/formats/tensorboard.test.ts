import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { maskedCrc32c, TensorBoardWriter, tfRecord } from "../../src/formats/tensorboard.ts";
import { eventType } from "./event-type.ts";
import { scratchFolder } from "./scratch-folder.ts";

/** The records of a TFRecord file, both checksums of each checked. */
function records(bytes: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length;) {
    const length = Number(view.getBigUint64(at, true));
    expect(view.getUint32(at + 8, true)).toBe(maskedCrc32c(bytes.subarray(at, at + 8)));
    const data = bytes.subarray(at + 12, at + 12 + length);
    expect(view.getUint32(at + 12 + length, true)).toBe(maskedCrc32c(data));
    found.push(data);
    at += length + 16;
  }
  return found;
}

describe("TensorBoard event files", () => {
  it("are TFRecords of events, the version first", () => {
    const folder = scratchFolder();
    const writer = new TensorBoardWriter(folder, 1_700_000_000.5);
    writer.scalar({ tag: "curve/greedy/mean", value: 48_008, step: 6500, wallTime: 1_700_000_001.25 });
    writer.scalar({ tag: "loss", value: -Infinity, step: 2 ** 40, wallTime: 1_700_000_002 });
    writer.close();
    expect(basename(writer.path)).toBe("events.out.tfevents.1700000000.ludoflow");
    const events = records(readFileSync(writer.path)).map((data) =>
      eventType.toObject(eventType.decode(data), { longs: Number }),
    );
    expect(events).toEqual([
      { wallTime: 1_700_000_000.5, fileVersion: "brain.Event:2" },
      {
        wallTime: 1_700_000_001.25,
        step: 6500,
        summary: { value: [{ tag: "curve/greedy/mean", simpleValue: 48_008 }] },
      },
      {
        wallTime: 1_700_000_002,
        step: 2 ** 40,
        summary: { value: [{ tag: "loss", simpleValue: -Infinity }] },
      },
    ]);
  });

  it("put the fields where event.proto has them", () => {
    const writer = new TensorBoardWriter(scratchFolder(), 1);
    writer.scalar({ tag: "a", value: 1, step: 3, wallTime: 2 });
    writer.close();
    const [version, scalar] = records(readFileSync(writer.path));
    // Tag byte = field number << 3 | wire type (0 varint, 1 eight bytes, 2 length-delimited, 5 four bytes).
    expect([...version!]).toEqual([
      0x09,
      0,
      0,
      0,
      0,
      0,
      0,
      0xf0,
      0x3f,
      0x1a,
      13,
      ...Buffer.from("brain.Event:2"),
    ]);
    const parts = [
      [0x09, 0, 0, 0, 0, 0, 0, 0, 0x40],
      [0x10, 3],
      [0x2a, 10, 0x0a, 8, 0x0a, 1, 0x61, 0x15, 0, 0, 0x80, 0x3f],
    ];
    expect([...scalar!]).toEqual(parts.flat());
  });

  it("mask checksums as TensorFlow does", () => {
    // CRC-32C of "123456789" is 0xe3069283: rotated right by 15 it is 0x2507c60d, plus 0xa282ead8.
    expect(maskedCrc32c(new TextEncoder().encode("123456789"))).toBe(0xc78ab0e5);
    expect(tfRecord(new Uint8Array(3)).length).toBe(19);
  });
});
