import { join } from "node:path";
import { expect, it } from "vitest";
import { readMetrics } from "../../../src/events/metrics-file.ts";
import { metricsPath } from "../../../src/graph/folder/run-folder.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { fullAfter } from "../../graph/full-disk.ts";
import { resultsOf, resumeRun, startRun, tablesExperiment, writeExperiment } from "../../graph/tiny-run.ts";

it("a run that a full disk has ended goes on to the bytes of one that had room", async () => {
  const scratch = scratchFolder();
  const file = writeExperiment(scratch, tablesExperiment);
  const whole = join(scratch, "whole");
  expect(await startRun(file, whole)).toEqual({ outcome: "finished" });
  for (const events of [0, 5]) {
    const folder = join(scratch, `full-after-${events}`);
    const disk = fullAfter(events);
    const { outcome } = await startRun(file, folder);
    disk.free();
    expect(outcome).toBe("failed");
    expect(resultsOf(folder)).not.toEqual(resultsOf(whole));
    expect(await resumeRun(folder)).toEqual({ outcome: "finished" });
    expect(resultsOf(folder)).toEqual(resultsOf(whole));
    const last = readMetrics(metricsPath(folder)).at(-1);
    expect(last).toMatchObject({ type: "run-ended", outcome: "finished" });
  }
});
