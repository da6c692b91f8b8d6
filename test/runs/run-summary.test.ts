import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { findRuns, namedRuns } from "../../src/runs/find-runs.ts";
import { prunable, prune } from "../../src/runs/prune.ts";
import { summaryOf } from "../../src/runs/run-summary.ts";
import { FINISHED, makeRun, match, STARTED } from "./make-run.ts";

it("says what has become of a run, how far it is, and what it reached last", () => {
  const folder = makeRun([STARTED, match(100, [10, 20]), match(200, [30, 50])]);
  const summary = summaryOf(folder);
  expect(summary).toMatchObject({
    condition: "stopped",
    experiment: "toy",
    seed: 1,
    progress: { share: 0.5, now: { stage: "learn", done: 200, total: 400, unit: "games" } },
    result: { stage: "curve", agent: "greedy", learned: 200, measure: "mean score", value: 40 },
  });
  expect(summary.bytes).toBeGreaterThan(500);
});

it("distinguishes runs that have ended, failed, or are being worked on", () => {
  expect(summaryOf(makeRun([STARTED, FINISHED]))).toMatchObject({
    condition: "finished",
    progress: { share: 1, now: { done: 400, total: 400 } },
  });
  const failed = makeRun([STARTED, { type: "run-ended", outcome: "failed", message: "no memory" }]);
  expect(summaryOf(failed)).toMatchObject({ condition: "failed", message: "no memory" });
  const running = makeRun([STARTED]);
  writeFileSync(join(running, `run.lock.${process.pid}`), "");
  expect(summaryOf(running).condition).toBe("running");
  expect(prunable(running)).toEqual([]);
});

it("lists damaged runs with the reason, and continues", () => {
  const noManifest = makeRun([STARTED]);
  rmSync(join(noManifest, "manifest.json"));
  expect(summaryOf(noManifest)).toMatchObject({
    condition: "damaged",
    message: expect.stringContaining("manifest.json"),
  });
  const changed = makeRun([STARTED]);
  writeFileSync(join(changed, "experiment.yaml"), "name: other\n");
  expect(summaryOf(changed)).toMatchObject({
    condition: "damaged",
    message: expect.stringContaining("changed"),
  });
  const torn = makeRun([STARTED, FINISHED]);
  writeFileSync(join(torn, "metrics.jsonl"), "no event\n{}\n");
  expect(summaryOf(torn)).toMatchObject({ condition: "damaged", experiment: "toy" });
});

it("finds runs at any depth, and refuses folders without one", () => {
  const run = makeRun([STARTED]);
  const above = dirname(run);
  mkdirSync(join(above, ".hidden", "x"), { recursive: true });
  writeFileSync(join(above, ".hidden", "x", "manifest.json"), "{}");
  expect(findRuns(above)).toEqual([run]);
  expect(namedRuns([above, run])).toEqual([run]);
  expect(() => namedRuns([join(above, "none")])).toThrow(/no such run/);
  expect(() => namedRuns([join(above, ".hidden", "x", "..", "..", "..", "run", "none")])).toThrow(
    /no such run/,
  );
  for (const find of [findRuns, (file: string) => namedRuns([file])])
    expect(() => find(join(run, "manifest.json"))).toThrow(
      /manifest\.json" is a file, not the folder of a run; runs lie at runs\/NAME\/ID$/,
    );
});

it("frees of an ended run its examples and its report, and keeps what replay needs", () => {
  const folder = makeRun([STARTED, FINISHED]);
  const put = (path: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), "1234567890");
  };
  const kept = [
    "games/curve.games",
    "weights/value/1.safetensors",
    "efforts/curve.efforts",
    "tensorboard/events",
  ];
  const freed = [
    "examples/learn/00000001.log",
    "report.html",
    "data/a.csv",
    "checkpoints/value/.0000000100.part/state.safetensors",
    "checkpoints/value/0000000050-partial/checkpoint.json",
  ];
  for (const path of [...kept, ...freed, "checkpoints/value/0000000100/checkpoint.json"]) put(path);
  const kinds = prune(folder);
  expect(kinds.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(50);
  expect(kept.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
  expect(freed.filter((path) => existsSync(join(folder, path)))).toEqual([]);
  expect(existsSync(join(folder, "checkpoints/value/0000000100"))).toBe(true);
  expect(readdirSync(folder).filter((name) => name.startsWith("run.lock"))).toEqual([]);
  expect(prunable(folder)).toEqual([]);
});

it("keeps the examples and the cut-short checkpoints of a run that can continue", () => {
  const folder = makeRun([STARTED]);
  for (const path of [
    "examples/learn",
    "checkpoints/value/0000000050-partial",
    "checkpoints/value/0000000100",
  ]) {
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path, "checkpoint.json"), "{}");
  }
  const before = readFileSync(join(folder, "metrics.jsonl"), "utf8");
  expect(prune(folder)).toEqual([]);
  expect(existsSync(join(folder, "checkpoints/value/0000000050-partial"))).toBe(true);
  expect(readFileSync(join(folder, "metrics.jsonl"), "utf8")).toBe(before);
});
