import { appendFileSync, mkdtempSync, openSync, closeSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRunFolder, metricsPath } from "../../../../src/graph/folder/run-folder.ts";
import type { Experiment } from "../../../../src/operators/experiment/open-experiment.ts";
import type { RunsUpdate } from "../../../../src/web/views/run-views.ts";
import { FollowedRuns } from "../../../../src/web/server/followed-runs.ts";

const experiment = {
  name: "followed",
  seed: 1,
  game: { rules: "tic-tac-toe" },
  nets: {},
  agents: { random: { use: "random" } },
  graph: { match: { use: "arena", agents: ["random"], games: 4 } },
} as unknown as Experiment;

let root: string;
let runs: FollowedRuns;
const leaves: (() => void)[] = [];

const line = (event: Readonly<Record<string, unknown>>, elapsed: number) =>
  `${JSON.stringify({ ...event, time: new Date(elapsed * 1000).toISOString(), elapsed })}\n`;
const started = line(
  { type: "run-started", name: "followed", seed: 1, workers: 1, resumed: false, compute: "" },
  0,
);
const match = (learned: number, elapsed: number) =>
  line(
    {
      type: "match",
      stage: "match",
      learned,
      unit: "games",
      agents: [{ agent: "random", games: 2, mean: 0.5, interval: [0, 1], returns: [0, 1], facts: {} }],
    },
    elapsed,
  );

/** A run at work: its folder is held by this process until `release` is called. */
function runAtWork(name: string) {
  const run = createRunFolder(experiment, { set: [] }, join(root, "followed", name), new Date(0));
  appendFileSync(metricsPath(run.folder), started);
  return run;
}

/** The updates that a watcher of the list gets; resolves when one fulfils a condition. */
function watching() {
  const updates: Omit<RunsUpdate, "folder">[] = [];
  leaves.push(runs.watchList((update) => updates.push(update)));
  const row = (path: string) => updates.flatMap((each) => each.runs).findLast((each) => each.path === path);
  return { updates, row };
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ludoflow-followed-"));
  runs = new FollowedRuns(root);
});

afterEach(() => {
  for (const leave of leaves.splice(0)) leave();
  runs.close();
  rmSync(root, { recursive: true });
});

const PATIENCE = { timeout: 30_000, interval: 50 };

describe("the list of runs", () => {
  it(
    "continues reading a run at work from its last position, and reports only the changed run",
    { timeout: 60_000 },
    async () => {
      const [one, other] = [runAtWork("A"), runAtWork("B")];
      try {
        const { row, updates } = watching();
        await expect.poll(() => updates.length, PATIENCE).toBe(1);
        expect(updates[0]!.order!.toSorted()).toEqual(["followed/A", "followed/B"]);
        expect(row("followed/A")!.condition).toBe("waiting");
        // Reading the file from its beginning again finds it damaged.
        const file = openSync(metricsPath(one.folder), "r+");
        writeSync(file, "x".repeat(started.length - 1), 0);
        closeSync(file);
        appendFileSync(metricsPath(one.folder), match(100, 5));
        await expect.poll(() => row("followed/A")!.result?.learned, PATIENCE).toBe(100);
        expect(row("followed/A")!.condition).toBe("running");
        expect(updates.slice(1).flatMap((each) => each.runs.map(({ path }) => path))).toEqual(["followed/A"]);
      } finally {
        one.release();
        other.release();
      }
    },
  );

  it("reports that a run has lost its process, and a run that is new", { timeout: 60_000 }, async () => {
    const one = runAtWork("A");
    const { row, updates } = watching();
    await expect.poll(() => updates.length, PATIENCE).toBe(1);
    one.release();
    await expect.poll(() => row("followed/A")!.condition, PATIENCE).toBe("silent");
    const other = runAtWork("B");
    try {
      await expect.poll(() => row("followed/B")?.condition, PATIENCE).toBe("waiting");
      expect(updates.at(-1)!.order).toEqual(["followed/B", "followed/A"]);
    } finally {
      other.release();
    }
  });

  it(
    "sends nothing while no run does anything: seconds at work are counted by the page",
    { timeout: 60_000 },
    async () => {
      const one = runAtWork("A");
      try {
        const { updates } = watching();
        await expect.poll(() => updates.length, PATIENCE).toBe(1);
        const more = watching();
        await expect.poll(() => more.updates.length, PATIENCE).toBe(1);
        // The list is looked at again by this.
        await runs.rows();
        await new Promise((resolve) => setTimeout(resolve, 4500));
        expect([updates.length, more.updates.length]).toEqual([1, 1]);
      } finally {
        one.release();
      }
    },
  );

  it("continues for a new watcher when the only other one leaves", { timeout: 60_000 }, async () => {
    const one = runAtWork("A");
    const before = watching();
    await expect.poll(() => before.updates.length, PATIENCE).toBe(1);
    // A page that is loaded anew: its old stream ends before the new one has got its first rows.
    const { row, updates } = watching();
    leaves[0]!();
    await expect.poll(() => updates.length, PATIENCE).toBe(1);
    one.release();
    await expect.poll(() => row("followed/A")!.condition, PATIENCE).toBe("silent");
    expect(before.updates.length).toBe(1);
  });
});
