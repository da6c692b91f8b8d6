import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { isMomentary, type RunEvent } from "../../../src/events/event.ts";
import { isFlow } from "../../../src/events/flow-event.ts";
import { MetricsFile, readMetrics } from "../../../src/events/metrics-file.ts";
import { hasFinished, metricsPath } from "../../../src/graph/folder/run-folder.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { fullAfter, fullAt } from "../../graph/full-disk.ts";
import { startRun, tablesExperiment, writeExperiment } from "../../graph/tiny-run.ts";

/** Breaks the folder of the TensorBoard files, before an event reaches them. */
const breaks: Readonly<Record<string, (folder: string, event: RunEvent) => void>> = {
  "is a file from the start": (folder, { type }) => {
    if (type === "run-started") writeFileSync(folder, "");
  },
  "is removed in between": (folder, { type }) => {
    // The folder is made at the first event, and its file opened at the first figure.
    if (!["run-started", "progress", "pace"].includes(type)) rmSync(folder, { recursive: true, force: true });
  },
};

it.each(Object.keys(breaks))(
  "a run records all its events where the folder of TensorBoard %s, and warns",
  async (way) => {
    const scratch = scratchFolder();
    const file = writeExperiment(scratch, tablesExperiment);
    const folder = join(scratch, "run");
    const seen: string[] = [];
    const tensorboard = join(folder, "tensorboard");
    const outcome = await startRun(file, folder, [], {
      onEvent: (event) => {
        breaks[way]!(tensorboard, event);
        if (!isMomentary(event) && !isFlow(event)) seen.push(event.type);
      },
    });
    expect(outcome).toEqual({ outcome: "finished" });
    expect(hasFinished(folder)).toBe(true);
    const recorded = readMetrics(metricsPath(folder)).filter(
      (event) => !isMomentary(event) && !isFlow(event),
    );
    expect(recorded.map(({ type }) => type)).toEqual(seen);
    expect(seen).toContain("match");
    const warnings = recorded.filter((event) => event.type === "note" && event.level === "warning");
    expect(warnings).toMatchObject([{ message: expect.stringMatching(/^TensorBoard was switched off: /) }]);
  },
);

it("a run whose metrics cannot be written saves its state, and ends with the reason", async () => {
  const scratch = scratchFolder();
  const file = writeExperiment(scratch, tablesExperiment);
  const folder = join(scratch, "run");
  const told: RunEvent[] = [];
  const disk = fullAfter(5);
  const outcome = await startRun(file, folder, [], { onEvent: (event) => void told.push(event) });
  disk.free();
  expect(disk.refused()).toBe(1);
  const reason = "no space left on the device; free some space or choose another folder";
  expect(outcome).toMatchObject({
    outcome: "failed",
    error: { message: `cannot write ${metricsPath(folder)}: ${reason}` },
  });
  expect(told.at(-1)).toMatchObject({ type: "run-ended", outcome: "failed" });
  // The learner has saved itself, between two checkpoints of the experiment.
  expect(told.findLast(({ type }) => type === "checkpoint")).toMatchObject({
    path: expect.stringMatching(/-partial$/) as string,
  });
});

it("a run whose end cannot be written has failed, whatever it has done before", async () => {
  const scratch = scratchFolder();
  const file = writeExperiment(scratch, tablesExperiment.replace("games: 400", "games: 200"));
  const folder = join(scratch, "run");
  const disk = fullAt("run-ended");
  const outcome = await startRun(file, folder);
  disk.free();
  expect(outcome).toMatchObject({ outcome: "failed", error: { message: /no space left/ } });
  expect(hasFinished(folder)).toBe(false);
});

it("a run has its metrics on disk when it writes a checkpoint, and when it tells of it", async () => {
  const scratch = scratchFolder();
  const file = writeExperiment(scratch, tablesExperiment.replace("games: 400", "games: 200"));
  const synced: string[] = [];
  const spy = vi.spyOn(MetricsFile.prototype, "flush").mockImplementation(function (this: MetricsFile) {
    synced.push(readMetrics(this.path).at(-1)!.type);
  });
  await startRun(file, join(scratch, "run"));
  spy.mockRestore();
  // Synced before each of three checkpoints, and by its event. A round that a checkpoint has left behind is synced too.
  const events = readMetrics(metricsPath(join(scratch, "run"))).filter(({ type }) => type === "checkpoint");
  expect(events.length).toBe(3);
  expect(synced.filter((type) => type === "checkpoint").length).toBe(3);
  for (const [i, type] of synced.entries())
    if (type === "checkpoint") expect(synced[i - 1]).not.toBe(i === 0 ? undefined : "checkpoint");
  // The end is noted in logs.json, and so synced before the file is closed.
  expect(synced.slice(-2)).toEqual(["run-ended", "run-ended"]);
});
