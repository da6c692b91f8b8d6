import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { RecordedEvent } from "../../../src/events/event.ts";
import { MetricsFile } from "../../../src/events/metrics-file.ts";
import { FileNotWritten } from "../../../src/formats/files/file-not-written.ts";
import { gamesPath, RunFiles } from "../../../src/operators/run/run-files.ts";
import { checkSavedLogs, mendTornLogs, SavedLogs } from "../../../src/operators/run/saved-logs.ts";
import { Random } from "../../../src/random.ts";
import { failingDisk } from "../../faults/disk-faults.ts";
import { type FileOperation, watchFiles } from "../../faults/watch-files.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

const record = (n: number) => new Uint8Array(10 + n).fill(n);

/** The logs of a run that have lost what was saved of them. */
function shortenedLogs(folder: string): string[] {
  const paths: string[] = [];
  checkSavedLogs(folder, { onDamage: ({ path }) => paths.push(path) });
  return paths;
}

/** A run with three games, of which two are synced, and a generation of examples. */
function written() {
  const folder = scratchFolder();
  const files = new RunFiles(folder);
  for (const n of [0, 1]) files.appendGame("games", record(n));
  files.appendExamples("games", 0, record(0));
  files.sync();
  files.appendGame("games", record(2));
  return { folder, files, log: gamesPath(folder, "games") };
}

it("reports a log whose last synced record is damaged or truncated, and no log that a kill has truncated after it", () => {
  const { folder, log } = written();
  expect(shortenedLogs(folder)).toEqual([]);
  const whole = readFileSync(log);
  const synced = whole.length - 8 - 12;
  // What a kill leaves.
  for (const length of [whole.length - 1, synced + 3, synced]) {
    truncateSync(log, length);
    expect(shortenedLogs(folder)).toEqual([]);
  }
  for (let at = synced - 8 - 11; at < synced; at++) {
    const damaged = Buffer.from(whole.subarray(0, synced));
    damaged[at]! ^= 1;
    writeFileSync(log, damaged);
    expect(shortenedLogs(folder)).toEqual([log]);
  }
  writeFileSync(log, whole.subarray(0, synced - 1));
  expect(() => checkSavedLogs(folder)).toThrow(
    /games\.games is damaged: the record that was saved at bytes 34 to 53 is not there/,
  );
  rmSync(log);
  expect(shortenedLogs(folder)).toHaveLength(1);
});

/**
 * What an earlier version left of a run with three games where the disk took a part of the third one: the notes say that the third one is
 * saved. `end` is the last event; none: the disk had no room for it.
 */
function tornByEarlierVersion(taken: number, end: Partial<RunEnded> | undefined) {
  const folder = scratchFolder();
  const files = new RunFiles(folder);
  for (const n of [0, 1, 2]) files.appendGame("games", record(n));
  files.close();
  const log = gamesPath(folder, "games");
  const whole = readFileSync(log);
  truncateSync(log, whole.length - 8 - 12 + taken);
  const metrics = MetricsFile.open(join(folder, "metrics.jsonl"));
  const at = { seq: 0, time: "2026-01-01T00:00:00Z", elapsed: 0 };
  metrics.record({
    type: "run-started",
    name: "a",
    seed: 1,
    workers: 1,
    resumed: false,
    compute: "",
    ...at,
  });
  if (end !== undefined) metrics.record({ type: "run-ended", outcome: "failed", ...end, ...at });
  metrics.close();
  return { folder, log, whole, metrics: metrics.path };
}

type RunEnded = Extract<RecordedEvent, { type: "run-ended" }>;
const full = { message: "cannot write /a/games/games.games: no space left on the device; free some space" };

it("opens a log of an earlier version that the end of the disk has torn, keeps the whole records, and continues there", () => {
  for (const taken of [0, 3, 7, 8, 19]) {
    const { folder, log, whole } = tornByEarlierVersion(taken, full);
    expect(shortenedLogs(folder)).toEqual([]);
    expect(mendTornLogs(folder)).toEqual([
      `${log} ends within a record, because the disk took only a part of it. 2 whole records before it are kept; what was being recorded is computed again`,
    ]);
    // A kill right then leaves nothing that is refused, and nothing to be mended again.
    expect(shortenedLogs(folder)).toEqual([]);
    expect(mendTornLogs(folder)).toEqual([]);
    const files = new RunFiles(folder);
    expect(files.recordedGames("games")).toHaveLength(2);
    files.appendGame("games", record(2));
    files.close();
    expect(readFileSync(log).equals(whole)).toBe(true);
    expect(shortenedLogs(folder)).toEqual([]);
  }
});

it("opens such a log where the disk had no room for the end of the run either, but only for a part of a line", () => {
  const { folder, metrics } = tornByEarlierVersion(5, undefined);
  expect(shortenedLogs(folder)).toHaveLength(1);
  appendFileSync(metrics, '{"seq":');
  expect(shortenedLogs(folder)).toEqual([]);
});

it("takes no other log for one that a full disk has torn", () => {
  // The run did not end by a write.
  for (const end of [
    { message: "a worker has died" },
    { outcome: "finished" },
    { outcome: "interrupted" },
  ] as const)
    expect(shortenedLogs(tornByEarlierVersion(5, end).folder)).toHaveLength(1);
  const { folder, log, whole } = tornByEarlierVersion(5, full);
  const cut = readFileSync(log);
  const start = whole.length - 8 - 12;
  const damaged: Uint8Array[] = [
    // A record before it is damaged, or gone.
    cut.map((byte, at) => (at === 20 ? byte ^ 1 : byte)),
    whole.subarray(0, start - 1),
    whole.subarray(0, 34),
    // It is damaged, as a whole or in what is left of it.
    whole.map((byte, at) => (at === whole.length - 1 ? byte ^ 1 : byte)),
    cut.map((byte, at) => (at === start ? byte ^ 1 : byte)),
    cut.map((byte, at) => (at === 0 ? byte ^ 1 : byte)),
    new Uint8Array(),
  ];
  for (const bytes of damaged) {
    writeFileSync(log, bytes);
    expect(shortenedLogs(folder)).toEqual([log]);
    expect(mendTornLogs(folder)).toEqual([]);
  }
});

it("notes nothing that the disk has not confirmed, and all other logs, where one fails", () => {
  for (const how of ["torn ENOSPC", "torn EFBIG", "EIO"] as const) {
    const folder = scratchFolder();
    const log = gamesPath(folder, "a");
    let room = true;
    const failing = failingDisk(0, how, Random.named(1));
    const isMeant = ({ kind, path }: FileOperation) =>
      !room && path === log && kind === (how === "EIO" ? "sync" : "write");
    const stop = watchFiles(folder, (operation) => (isMeant(operation) ? failing(operation) : undefined));
    const files = new RunFiles(folder);
    const failures: unknown[] = [];
    try {
      for (const stage of ["a", "b"]) files.appendGame(stage, record(0));
      files.sync();
      room = false;
      for (const step of [
        () => files.appendGame("a", record(1)),
        () => files.appendGame("b", record(1)),
        () => files.sync(),
        () => files.close(),
      ])
        try {
          step();
        } catch (error) {
          failures.push(error);
        }
    } finally {
      stop();
    }
    expect(failures).toHaveLength(how === "EIO" ? 2 : 3);
    expect(new Set(failures).size).toBe(1);
    expect(failures[0]).toBeInstanceOf(FileNotWritten);
    expect(shortenedLogs(folder)).toEqual([]);
    const notes = new SavedLogs(folder);
    expect(notes.lengthOf(log)).toBe(34);
    expect(notes.lengthOf(gamesPath(folder, "b"))).toBe(53);
  }
});

it("notes the lines recorded until then, and reports if the last of them is gone", () => {
  const folder = scratchFolder();
  const metrics = MetricsFile.open(join(folder, "metrics.jsonl"));
  const note = (message: string) =>
    metrics.record({ type: "note", level: "info", message, seq: 0, time: "", elapsed: 0 });
  const files = new RunFiles(folder, metrics);
  for (const message of ["one", "two"]) note(message);
  files.sync();
  const synced = metrics.synced!.bytes;
  note("three");
  metrics.close();
  const whole = readFileSync(metrics.path);
  const lines = [...whole].flatMap((byte, at) => (byte === 0x0a ? [at + 1] : []));
  expect(synced).toBe(lines[1]);
  // What a kill leaves.
  for (const length of [whole.length, whole.length - 1, synced + 1, synced]) {
    truncateSync(metrics.path, length);
    expect(shortenedLogs(folder)).toEqual([]);
  }
  for (const length of [synced - 1, lines[0]!, 0]) {
    truncateSync(metrics.path, length);
    expect(() => checkSavedLogs(folder)).toThrow(
      `metrics.jsonl is damaged: the line that was saved at bytes ${lines[0]} to ${synced} is not there. Put back`,
    );
  }
  writeFileSync(metrics.path, whole.subarray(3));
  expect(shortenedLogs(folder)).toEqual([metrics.path]);
  rmSync(metrics.path);
  expect(shortenedLogs(folder)).toEqual([metrics.path]);
});

it("reports a log in which the length of an earlier record is damaged", () => {
  const { folder, log } = written();
  const whole = readFileSync(log);
  // The first record's frame begins behind the header of 16 bytes, with its length.
  for (const at of [16, 17, 18, 19]) {
    const damaged = Buffer.from(whole);
    damaged[at]! ^= 1;
    writeFileSync(log, damaged);
    expect(shortenedLogs(folder)).toEqual([log]);
  }
});

it("misses examples if the run continues, and not if it has finished", () => {
  const { files, folder } = written();
  files.close();
  const examples = join(folder, "examples", "games", "00000000.log");
  rmSync(examples);
  expect(shortenedLogs(folder)).toEqual([]);
  expect(() => checkSavedLogs(folder, { continues: true })).toThrow(examples);
});

it("forgets what is shortened or removed on purpose, and notes all at the end", () => {
  const { files, folder, log } = written();
  files.close();
  const resumed = new RunFiles(folder);
  expect(resumed.recordedGames("games", 1)).toHaveLength(1);
  expect(shortenedLogs(folder)).toEqual([]);
  resumed.keepExamples("games", "replay", 1);
  resumed.appendGame("games", record(1));
  resumed.close();
  expect(shortenedLogs(folder)).toEqual([]);
  truncateSync(log, readFileSync(log).length - 1);
  expect(shortenedLogs(folder)).toHaveLength(1);
});

it("reports that the notes themselves are damaged", () => {
  const { files, folder } = written();
  files.close();
  const path = join(folder, "logs.json");
  const text = readFileSync(path, "utf8");
  for (const other of [
    text.replace("games.games", "games.gamet"),
    text.slice(1),
    text.replace("sha256", "sha255"),
    "{}",
  ]) {
    writeFileSync(path, other);
    expect(() => checkSavedLogs(folder)).toThrow(/logs\.json (?:is damaged|is no JSON)/);
  }
  appendFileSync(path, "x");
  expect(() => new RunFiles(folder)).toThrow(/logs\.json is damaged/);
});
