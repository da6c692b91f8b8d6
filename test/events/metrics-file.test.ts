import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RecordedEvent } from "../../src/events/event.ts";
import { eachEvent, MetricsFile, readMetrics } from "../../src/events/metrics-file.ts";
import { crc32c } from "../../src/formats/crc32c.ts";
import { Random } from "../../src/random.ts";
import { failingDisk } from "../faults/disk-faults.ts";
import { watchFiles } from "../faults/watch-files.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { someOf } from "../number-of-cases.ts";

const note = (message: string): RecordedEvent => ({
  type: "note",
  level: "info",
  message,
  time: "2026-01-01T00:00:00.000Z",
  elapsed: 1,
});

function write(path: string, ...events: RecordedEvent[]): void {
  const file = MetricsFile.open(path);
  for (const event of events) file.record(event);
  file.close();
}

describe("metrics.jsonl", () => {
  it("holds one event a line, appended over several openings", () => {
    const path = join(scratchFolder(), "metrics.jsonl");
    write(path, note("one"), note("line\nfeed, é"));
    write(path, note("three"));
    expect(readFileSync(path, "utf8").split("\n").length).toBe(4);
    expect(readMetrics(path)).toEqual([note("one"), note("line\nfeed, é"), note("three")]);
  });

  it("has its format in the first line, and is refused by name if it has another", () => {
    const path = join(scratchFolder(), "metrics.jsonl");
    write(path, note("one"), note("two"));
    const [first, second] = readFileSync(path, "utf8").split("\n");
    expect(JSON.parse(first!)).toEqual({
      format: "ludoflow metrics 1",
      checksums: "CRC-32C",
      ...note("one"),
      crc: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
    // The checksum of a line is that of everything before it in the file.
    const before = Buffer.from(`${first}\n${second!.slice(0, second!.indexOf(',"crc":'))}`);
    const crc = crc32c(before).toString(16).padStart(8, "0");
    expect(JSON.parse(second!)).toEqual({ ...note("two"), crc });
    const refused = (format: unknown) => {
      writeFileSync(path, `${JSON.stringify({ format, type: "unheard-of" })}\n`);
      return expect(() => readMetrics(path));
    };
    refused("ludoflow metrics 2").toThrow(
      /is of the format "ludoflow metrics 2"; this program reads "ludoflow metrics 1"/,
    );
    refused(7).toThrow(/is of the format "7"/);
    // Written before files had a format.
    writeFileSync(path, `${JSON.stringify(note("old"))}\n`);
    write(path, note("after"));
    expect(readMetrics(path)).toEqual([note("old"), note("after")]);
  });

  it("cut at any byte, gives the lines that are whole, and continues after them", () => {
    const path = join(scratchFolder(), "metrics.jsonl");
    write(path, note("é"), note("two"));
    const whole = readFileSync(path);
    const first = whole.indexOf("\n") + 1;
    for (const length of new Set([...someOf(Array(whole.length).keys()), first, whole.length])) {
      writeFileSync(path, whole.subarray(0, length));
      const kept = [note("é"), note("two")].slice(0, length < first ? 0 : length < whole.length ? 1 : 2);
      expect(readMetrics(path)).toEqual(kept);
      write(path, note("after"));
      expect(readMetrics(path)).toEqual([...kept, note("after")]);
    }
  });

  it("finds the end of the last whole line however long the torn one is", () => {
    const path = join(scratchFolder(), "metrics.jsonl");
    write(path, note("kept"));
    appendFileSync(path, "x".repeat(200_000));
    write(path, note("after"));
    expect(readMetrics(path)).toEqual([note("kept"), note("after")]);
  });

  it("reads numbers that JSON does not have as NaN", () => {
    const path = join(scratchFolder(), "metrics.jsonl");
    const loss = (value: number): RecordedEvent => ({
      type: "training",
      stage: "weights",
      step: 1,
      loss: value,
      parts: {},
      rate: 0.1,
      time: "",
      elapsed: 0,
    });
    write(path, loss(NaN), loss(Infinity));
    expect(readMetrics(path)).toEqual([loss(NaN), loss(NaN)]);
  });

  it("names a line in the middle that is no event", () => {
    const path = join(scratchFolder(), "metrics.jsonl");
    write(path, note("one"));
    const good = readFileSync(path, "utf8");
    writeFileSync(path, `${good}{"type":\n${good}`);
    expect(() => readMetrics(path)).toThrow("line 2 that is no JSON");
    writeFileSync(path, `${good}[]\n`);
    expect(() => readMetrics(path)).toThrow("line 2 that is no event");
  });

  it("notices every changed byte, and lines that are gone, repeated or exchanged", async () => {
    const path = join(scratchFolder(), "metrics.jsonl");
    write(path, note("one"), note("two"), note("three"));
    const whole = readFileSync(path);
    const lines = whole.toString().split(/(?<=\n)/);
    const [one, two, three] = lines as [string, string, string];
    const damaged: (string | Uint8Array)[] = [
      two + three,
      one + three,
      one + one + two + three,
      one + three + two,
    ];
    for (const at of someOf(Array(whole.length - 1).keys())) {
      const bytes = Uint8Array.from(whole);
      bytes[at] = bytes[at]! ^ 1;
      damaged.push(bytes);
    }
    for (const content of damaged) {
      writeFileSync(path, content);
      expect(() => readMetrics(path), String(content)).toThrow(/has a line [1-4]|is of the format/);
    }
    const all = async () => {
      for await (const event of eachEvent(path)) expect(event.type).toBe("note");
    };
    await expect(all()).rejects.toThrow(/has a line/);
  });

  it("notices damage in a file of one line", () => {
    const path = join(scratchFolder(), "metrics.jsonl");
    write(path, note("one"));
    const whole = readFileSync(path, "utf8");
    for (const content of [
      whole.replace('"crc"', '"crd"'),
      whole.replace("one", "two"),
      whole.replace(/,"crc.*"/, ""),
    ]) {
      writeFileSync(path, content);
      expect(() => readMetrics(path)).toThrow(/has a line 1 (without|that does not match)/);
    }
  });

  it("continues a file without checksums, and checks its lines from then on", () => {
    const path = join(scratchFolder(), "metrics.jsonl");
    const old = `${JSON.stringify({ format: "ludoflow metrics 1", ...note("old") })}\n${JSON.stringify(note("older"))}\n`;
    writeFileSync(path, old);
    expect(readMetrics(path)).toEqual([note("old"), note("older")]);
    write(path, note("after"));
    expect(readMetrics(path)).toEqual([note("old"), note("older"), note("after")]);
    const now = readFileSync(path, "utf8");
    writeFileSync(path, now.replace("older", "elder"));
    expect(() => readMetrics(path)).toThrow("has a line 3 that does not match its checksum");
    writeFileSync(path, `${now}${JSON.stringify(note("without"))}\n`);
    expect(() => readMetrics(path)).toThrow("has a line 4 that does not match its checksum");
  });

  it("is read past its damage if that is asked for", () => {
    const path = join(scratchFolder(), "metrics.jsonl");
    write(path, note("one"), note("two"), note("three"));
    writeFileSync(path, readFileSync(path, "utf8").replace('"two"', '"tow"'));
    const damage: string[] = [];
    expect(readMetrics(path, ({ what }) => void damage.push(what))).toEqual([note("one"), note("three")]);
    expect(damage).toEqual([
      "has a line 2 that does not match its checksum: it is damaged. Put back a copy of the file",
    ]);
  });

  it("says that a disk is full", () => {
    const path = join(scratchFolder(), "metrics.jsonl");
    // The first operation opens the file.
    onTestFinished(watchFiles(path, failingDisk(1, "ENOSPC", Random.named(1))));
    const file = MetricsFile.open(path);
    expect(() => file.record(note("one"))).toThrow(
      `cannot write ${path}: no space left on the device; free some space or choose another folder`,
    );
  });
});
