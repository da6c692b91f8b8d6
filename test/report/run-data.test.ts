import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../src/events/event.ts";
import { FileCorrupt } from "../../src/formats/files/file-corrupt.ts";
import { readRun, withoutRepeated } from "../../src/report/run-data.ts";
import { started } from "../events/started.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { timed, writeRun } from "./example-run.ts";

const games = (stage: string, done: number, mean: number): RunEvent => ({
  type: "games",
  stage,
  done,
  count: 1,
  mean,
  min: 0,
  max: 0,
  plies: 0,
});

describe("withoutRepeated", () => {
  it("drops what a resumption emitted again, stage by stage, and nothing else", () => {
    const events = [
      started(false),
      games("a", 10, 1),
      games("b", 5, 1),
      games("a", 20, 1),
      games("a", 30, 1),
      started(true),
      games("a", 20, 2),
      games("a", 30, 2),
      started(true),
      games("a", 25, 3),
      games("b", 6, 3),
    ].map((event, i) => timed(i, event));
    const kept = withoutRepeated(events);
    expect(kept.map(({ elapsed }) => elapsed)).toEqual([0, 1, 2, 5, 6, 8, 9, 10]);
  });

  it("keeps everything of a run that was never resumed, repeated places included", () => {
    const events = [started(false), games("a", 10, 1), games("a", 10, 2), games("a", 5, 3)].map((e, i) =>
      timed(i, e),
    );
    expect(withoutRepeated(events)).toEqual(events);
  });
});

describe("readRun", () => {
  it("does without manifest and experiment, and takes the folder's name", () => {
    const folder = join(scratchFolder(), "my-run");
    mkdirSync(folder);
    writeFileSync(join(folder, "metrics.jsonl"), "");
    expect(readRun(folder)).toEqual({ folder, name: "my-run", manifest: {}, events: [] });
  });

  it("refuses a folder that is no run's, and a broken manifest, by name", () => {
    const folder = scratchFolder();
    expect(() => readRun(folder)).toThrow(FileCorrupt);
    expect(() => readRun(join(folder, "none"))).toThrow("is not the folder of a run");
    writeRun(folder, [timed(0, started(false))]);
    writeFileSync(join(folder, "manifest.json"), "{");
    expect(() => readRun(folder)).toThrow("manifest.json is no JSON");
    writeFileSync(join(folder, "manifest.json"), "[]");
    expect(() => readRun(folder)).toThrow('manifest.json is of the format "unknown"');
  });
});
