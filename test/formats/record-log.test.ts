import {
  appendFileSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crc32c } from "../../src/formats/crc32c.ts";
import { FileCorrupt } from "../../src/formats/files/file-corrupt.ts";
import {
  GrowingLog,
  hasRecord,
  RecordCount,
  readRecord,
  RecordLogReader,
  recoverLog,
  truncateLog,
} from "../../src/formats/record-log.ts";
import { RecordLogWriter } from "../../src/formats/record-log-writer.ts";
import { watchReads } from "../faults/read-files.ts";
import { scratchFolder } from "./scratch-folder.ts";
import { casesOf, someOf } from "../number-of-cases.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

function write(path: string, records: readonly Uint8Array[]): void {
  const log = RecordLogWriter.open(path);
  for (const record of records) log.append(record);
  log.close();
}

function readAll(path: string): number[][] {
  const log = new RecordLogReader(path);
  try {
    return [...log].map((record) => [...record]);
  } finally {
    log.close();
  }
}

describe("a record log", () => {
  it("names the file where a folder is in its place", () => {
    const path = join(scratchFolder(), "log");
    mkdirSync(path);
    for (const read of [
      () => new RecordLogReader(path),
      () => new GrowingLog(path).starts(),
      () => new RecordCount(path).now(),
      () => readRecord(path, 16),
      () => hasRecord(path, 16, 30),
    ]) {
      expect(read).toThrow(FileCorrupt);
      expect(read).toThrow(`${path} cannot be read: it is a folder`);
    }
  });

  it("has the documented layout", () => {
    const path = join(scratchFolder(), "log");
    write(path, [bytesOf("abc")]);
    const bytes = new Uint8Array(readFileSync(path));
    const view = new DataView(bytes.buffer);
    expect(new TextDecoder().decode(bytes.subarray(0, 8))).toBe("LUDOLOG\n");
    expect(view.getUint32(8, true)).toBe(1);
    expect(view.getUint32(12, true)).toBe(crc32c(bytes.subarray(0, 12)));
    expect(view.getUint32(16, true)).toBe(3);
    expect(view.getUint32(20, true)).toBe(crc32c(Uint8Array.of(3, 0, 0, 0, 0x61, 0x62, 0x63)));
    expect(new TextDecoder().decode(bytes.subarray(24))).toBe("abc");
  });

  it("that grows is followed: through any appends, torn ends, cuts and new beginnings it has the starts that a reader finds", () => {
    const folder = scratchFolder();
    let n = 0;
    const step = fc.oneof(
      fc.record({ append: fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 4 }) }),
      fc.record({ tear: fc.uint8Array({ minLength: 1, maxLength: 7 }) }),
      fc.record({ keep: fc.nat(5) }),
      fc.constant({ anew: true }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const path = join(folder, `growing-${n++}`);
        const growing = new GrowingLog(path);
        const count = new RecordCount(path);
        expect(growing.starts()).toEqual([]);
        expect(count.now()).toBe(0);
        let records = 0;
        for (const each of steps) {
          if ("append" in each) {
            write(path, each.append);
            records += each.append.length;
          } else if ("tear" in each) {
            if (records > 0) appendFileSync(path, each.tear);
          } else if ("keep" in each) {
            records = Math.min(records, each.keep);
            truncateLog(path, records);
          } else {
            rmSync(path, { force: true });
            records = 0;
          }
          const reader = existsSync(path) ? new RecordLogReader(path) : undefined;
          const starts = Array.from({ length: reader?.records ?? 0 }, (_, i) => reader!.start(i));
          reader?.close();
          expect(growing.starts()).toEqual(starts);
          expect(starts.length).toBe(records);
          expect(count.now()).toBe(records);
        }
      }),
      { numRuns: casesOf(100) },
    );
  });

  it("is counted again when it comes back as it was", () => {
    const path = join(scratchFolder(), "log");
    const count = new RecordCount(path);
    for (let i = 0; i < 2; i++) {
      write(path, [bytesOf("one"), bytesOf("two")]);
      expect(count.now()).toBe(2);
      rmSync(path);
      expect(count.now()).toBe(0);
    }
  });

  it("is counted without its torn end, whatever that is", () => {
    const path = join(scratchFolder(), "log");
    write(path, [bytesOf("one"), new Uint8Array(0)]);
    const whole = readFileSync(path);
    for (const tail of [
      new Uint8Array(64),
      whole.subarray(16, 26),
      Uint8Array.of(255, 255, 255, 255, 1, 2, 3, 4),
    ]) {
      writeFileSync(path, Buffer.concat([whole, tail]));
      expect(new RecordCount(path).now()).toBe(2);
    }
  });

  it("that grows is opened to read alone, because the folder may be read-only", () => {
    const path = join(scratchFolder(), "log");
    write(path, [bytesOf("one")]);
    const flags: unknown[] = [];
    const unwatch = watchReads((_, flag) => flags.push(flag));
    try {
      expect(new GrowingLog(path).starts()).toEqual([16]);
    } finally {
      unwatch();
    }
    expect(flags).toHaveLength(1);
    expect((flags[0] as number) & (constants.O_WRONLY | constants.O_RDWR | constants.O_CREAT)).toBe(0);
  });

  it("gives back any records, in any order, and the same bytes however it was flushed and reopened", () => {
    const folder = scratchFolder();
    let n = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.uint8Array({ maxLength: 300 }), fc.nat(2))), (steps) => {
        const plain = join(folder, `plain-${n}`);
        const interrupted = join(folder, `interrupted-${n++}`);
        write(
          plain,
          steps.map(([record]) => record),
        );
        let log = RecordLogWriter.open(interrupted);
        for (const [record, then] of steps) {
          log.append(record);
          if (then === 1) log.flush();
          if (then === 2) {
            log.close();
            log = RecordLogWriter.open(interrupted);
          }
        }
        expect(log.records).toBe(steps.length);
        log.close();
        expect(log.bytes).toBe(readFileSync(plain).length);
        expect(readFileSync(interrupted).equals(readFileSync(plain))).toBe(true);
        const reader = new RecordLogReader(plain);
        expect(reader.records).toBe(steps.length);
        for (let i = steps.length - 1; i >= 0; i--) expect([...reader.read(i)]).toEqual([...steps[i]![0]]);
        expect(() => reader.read(steps.length)).toThrow(RangeError);
        reader.close();
      }),
      { numRuns: casesOf(30) },
    );
  });

  it("takes records larger than its buffers, and many of them", () => {
    const path = join(scratchFolder(), "log");
    const large = (seed: number) => Uint8Array.from({ length: 2_500_000 }, (_, i) => (i * seed) >>> 3);
    const records = [
      bytesOf("a"),
      large(3),
      bytesOf("b"),
      ...Array(3000).fill(new Uint8Array(997).fill(5)),
      large(7),
    ];
    write(path, records);
    const reader = new RecordLogReader(path);
    expect(reader.records).toBe(records.length);
    for (const n of [0, 1, 2, 1500, 3003]) expect(Buffer.compare(reader.read(n), records[n])).toBe(0);
    reader.close();
  });

  it("cut at any byte, keeps every record that is whole, and can be appended to", () => {
    const folder = scratchFolder();
    const path = join(folder, "log");
    const records = ["first", "", "third record"].map(bytesOf);
    write(path, records);
    const whole = readFileSync(path);
    const ends = [16, 29, 37, 57];
    expect(whole.length).toBe(57);
    for (const length of new Set([...someOf(Array(whole.length).keys()), ...ends])) {
      writeFileSync(path, whole.subarray(0, length));
      const kept = ends.filter((end) => end <= length).length - 1;
      // A reader passes the torn end over and changes nothing.
      expect(readAll(path)).toEqual(records.slice(0, Math.max(0, kept)).map((record) => [...record]));
      expect(readFileSync(path).length).toBe(length);
      const end = kept < 0 ? 0 : ends[kept]!;
      expect(recoverLog(path)).toEqual({
        records: Math.max(0, kept),
        last: ends[Math.max(0, kept - 1)],
        bytes: Math.max(16, end),
        droppedBytes: length - end,
      });
      write(path, records.slice(Math.max(0, kept)));
      expect(readFileSync(path).equals(whole)).toBe(true);
    }
  });

  it("drops a last record with any bit wrong, and a tail of zeros or garbage", () => {
    const path = join(scratchFolder(), "log");
    write(path, [bytesOf("kept"), bytesOf("lost")]);
    const whole = readFileSync(path);
    for (const bit of someOf([...Array(whole.length * 8).keys()].slice(28 * 8))) {
      const damaged = Buffer.from(whole);
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      writeFileSync(path, damaged);
      expect(recoverLog(path)).toEqual({ records: 1, last: 16, bytes: 28, droppedBytes: 12 });
    }
    writeFileSync(path, whole);
    for (const tail of [new Uint8Array(100), new Uint8Array(100).fill(0xff)]) {
      appendFileSync(path, tail);
      expect(recoverLog(path)).toEqual({ records: 2, last: 28, bytes: 40, droppedBytes: 100 });
    }
  });

  it("with a bad record before whole ones is reported as damaged, by readers and writers, and left alone", () => {
    const path = join(scratchFolder(), "log");
    const records = ["first", "", "the one that is hit", "x".repeat(300), "last"].map(bytesOf);
    write(path, records);
    const whole = readFileSync(path);
    // Frame and content of record 2, from byte 37 to 64: bit by bit, length and checksum included.
    for (const bit of someOf([...Array(64 * 8).keys()].slice(37 * 8))) {
      const damaged = Buffer.from(whole);
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      writeFileSync(path, damaged);
      expect(() => RecordLogWriter.open(path)).toThrow(FileCorrupt);
      expect(() => new RecordLogReader(path)).toThrow(FileCorrupt);
      expect(() => recoverLog(path)).toThrow(
        /log is damaged in the middle: record 2, at byte 37, .* follow it from byte 64 on\. .*truncate -s 37 /,
      );
      expect(readFileSync(path).equals(damaged)).toBe(true);
    }
    // Two bad ones in a row are passed over as well; a torn end behind them changes nothing.
    const two = Buffer.from(whole.subarray(0, -1));
    two[50]! ^= 1;
    two[100]! ^= 1;
    writeFileSync(path, two);
    expect(recoverLog(path)).toMatchObject({ records: 2, bytes: 37 });
    two.copy(whole, 0, 0, two.length);
    writeFileSync(path, whole);
    expect(() => recoverLog(path)).toThrow(/from byte 372 on/);
  });

  it("gives one record at a known place, while others are written", () => {
    const path = join(scratchFolder(), "log");
    const log = RecordLogWriter.open(path);
    const records = ["a", "", "ccc"].map(bytesOf);
    const starts = records.map((record) => {
      const start = log.bytes;
      log.append(record);
      log.drain();
      return start;
    });
    for (const [n, record] of records.entries())
      expect([...readRecord(path, starts[n]!)]).toEqual([...record]);
    log.close();
    const reader = new RecordLogReader(path);
    expect(starts).toEqual([0, 1, 2].map((n) => reader.start(n)));
    expect(() => reader.start(3)).toThrow(RangeError);
    reader.close();
    const bytes = readFileSync(path);
    expect(() => readRecord(path, bytes.length)).toThrow(/has no record/);
    bytes[bytes.length - 1]! ^= 1;
    writeFileSync(path, bytes);
    expect(() => readRecord(path, starts[2]!)).toThrow(/damaged/);
    writeFileSync(path, bytes.subarray(0, -1));
    expect(() => readRecord(path, starts[2]!)).toThrow(/ends within/);
    expect([...readRecord(path, starts[0]!)]).toEqual([...records[0]!]);
  });

  it("is cut to a number of records", () => {
    const path = join(scratchFolder(), "log");
    write(path, ["a", "b", "c"].map(bytesOf));
    truncateLog(path, 3);
    truncateLog(path, 1);
    expect(readAll(path)).toEqual([[97]]);
    expect(() => truncateLog(path, 2)).toThrow(FileCorrupt);
    truncateLog(path, 0);
    expect(readAll(path)).toEqual([]);
  });

  it("refuses another kind of file and another version, and leaves them alone", () => {
    const path = join(scratchFolder(), "log");
    writeFileSync(path, "not a log at all");
    expect(() => RecordLogWriter.open(path)).toThrow("is no record log");
    expect(readFileSync(path, "utf8")).toBe("not a log at all");
    const later = Buffer.from("LUDOLOG\n\x02\0\0\0....");
    writeFileSync(path, later);
    expect(() => recoverLog(path)).toThrow("version 2");
    expect(readFileSync(path).equals(later)).toBe(true);
  });
});
