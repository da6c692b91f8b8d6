import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MetricsFile } from "../../../src/events/metrics-file.ts";
import { gamesPath, RunFiles } from "../../../src/operators/run/run-files.ts";
import { checkSavedLogs } from "../../../src/operators/run/saved-logs.ts";
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

it("tells a log whose last synced record is damaged or cut, and no log that a kill has cut behind it", () => {
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

it("notes the lines told until then, and tells where the last of them is gone", () => {
  const folder = scratchFolder();
  const metrics = MetricsFile.open(join(folder, "metrics.jsonl"));
  const tell = (message: string) =>
    metrics.record({ type: "note", level: "info", message, seq: 0, time: "", elapsed: 0 });
  const files = new RunFiles(folder, metrics);
  for (const message of ["one", "two"]) tell(message);
  files.sync();
  const synced = metrics.bytes;
  tell("three");
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

it("tells a log in which the length of an earlier record is damaged", () => {
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

it("misses examples where the run goes on, and not where it has finished", () => {
  const { files, folder } = written();
  files.close();
  const examples = join(folder, "examples", "games", "00000000.log");
  rmSync(examples);
  expect(shortenedLogs(folder)).toEqual([]);
  expect(() => checkSavedLogs(folder, { goesOn: true })).toThrow(examples);
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

it("tells that the notes themselves are damaged", () => {
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
