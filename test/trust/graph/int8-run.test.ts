import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMetrics } from "../../../src/events/metrics-file.ts";
import { readExperiment } from "../../../src/graph/experiment-file.ts";
import { metricsPath, openRunFolder } from "../../../src/graph/folder/run-folder.ts";
import { replayGame } from "../../../src/graph/replay-game.ts";
import { newRun, resumedRun } from "../../../src/graph/start-run.ts";
import { INT8_RANGES } from "../../../src/models/net.ts";
import { checkpointsPath } from "../../../src/operators/run/run-files.ts";
import { listCheckpoints, readCheckpoint } from "../../../src/operators/run/weights/checkpoint-files.ts";
import { forkRun } from "../../../src/runs/fork-run.ts";
import { int8Experiment, resultsOf, resumeRun, startRun, writeExperiment } from "../../graph/tiny-run.ts";

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const place = (name: string) => join(scratch, name);
const file = writeExperiment(scratch, int8Experiment);

describe("a run in int8", () => {
  beforeAll(async () => {
    expect(await startRun(file, place("whole"))).toEqual({ outcome: "finished" });
  });

  const rangesOf = (folder: string) =>
    listCheckpoints(checkpointsPath(folder, "zero")).map(({ learned, path }) => ({
      learned,
      ranges: [...readCheckpoint(path).tensors.get(`weights/${INT8_RANGES}`)!.data],
    }));

  it("keeps ranges with each version, which differ from version to version", () => {
    const versions = rangesOf(place("whole"));
    expect(versions.map(({ learned }) => learned)).toEqual([0, 12, 24, 36]);
    expect(new Set(versions.map(({ ranges }) => ranges.join())).size).toBe(4);
    // Planes and rectified activations have no number below 0.
    for (const { ranges } of versions) expect(ranges[0]).toBe(0);
  });

  it("reports the error of each version", () => {
    const reported = readMetrics(metricsPath(place("whole")))
      .filter((event) => event.type === "figure")
      .filter(({ name }) => name.startsWith("int8: "))
      .map(({ stage, name, learned }) => `${stage} ${learned} ${name}`);
    const names = [
      "int8: mean error of values",
      "int8: mean divergence of priors, nats",
      "int8: share of equal most probable moves",
    ];
    expect(reported).toEqual(
      [0, 12, 24, 36].flatMap((learned) => names.map((name) => `weights ${learned} ${name}`)),
    );
  });

  it("has the same results after an interruption in the midst of learning, and with other workers", async () => {
    const expected = resultsOf(place("whole"));
    let outcome = await startRun(file, place("stopped"), [], {
      // Between two requests of the second generation: a partial state is saved.
      onEvent: (event, stop) => event.type === "training" && event.step > 12 && stop.request(),
    });
    expect(outcome.outcome).toBe("interrupted");
    expect(rangesOf(place("stopped")).at(-1)!.learned).toBeGreaterThan(12);
    outcome = await resumeRun(place("stopped"), { workers: 2 });
    expect(outcome).toEqual({ outcome: "finished" });
    expect(resultsOf(place("stopped"))).toEqual(expected);
  });

  it("replays games of the first and of the last version", async () => {
    for (const game of [0, 23])
      expect((await replayGame(place("whole"), "games", game)).difference).toBeUndefined();
  });
});

it("decides auto when a run begins, and keeps it", async () => {
  const set = ["nets.zero.evaluations=auto"];
  const run = await newRun(readExperiment(file, set), { file, set }, { out: place("auto") });
  const { experiment: begun, manifest } = openRunFolder(place("auto"));
  const decided = manifest.evaluations!["zero"]!;
  expect(["float32", "int8"]).toContain(decided.evaluations);
  expect(decided.speedup).toBeGreaterThan(0);
  expect(decided.valueError).toBeLessThan(0.03);
  expect(decided.divergence).toBeLessThan(0.02);
  expect(begun.nets["zero"]!.evaluations).toBe(decided.evaluations);
  expect(run.experiment.nets["zero"]!.evaluations).toBe(decided.evaluations);
  run.stop();
  expect((await run.start()).outcome).toBe("interrupted");
  // The file says auto, and is what the run began with nevertheless.
  const resumed = await resumedRun(place("auto"), { asStarted: false });
  expect(resumed!.experiment.nets["zero"]!.evaluations).toBe(decided.evaluations);
  resumed!.stop();
  expect((await resumed!.start()).outcome).toBe("interrupted");
  await expect(forkRun(place("auto"), { set, out: place("fork") })).rejects.toThrow(
    "nets.zero.evaluations: auto is decided when a run begins, and a fork continues one; write float32 or int8",
  );
});
