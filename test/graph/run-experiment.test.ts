import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { RunEvent } from "../../src/events/event.ts";
import { isFlow } from "../../src/events/flow-event.ts";
import { readMetrics } from "../../src/events/metrics-file.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { hasFinished, metricsPath } from "../../src/graph/run-folder.ts";
import { newRun } from "../../src/graph/start-run.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { tablesExperiment, writeExperiment } from "./tiny-run.ts";

/** Breaks the folder of the TensorBoard files. */
const breaks: Readonly<Record<string, (folder: string, event?: RunEvent) => void>> = {
  "is a file from the start": (folder, event) => {
    if (event === undefined) writeFileSync(folder, "");
  },
  "is removed in between": (folder, event) => {
    if (event === undefined) mkdirSync(folder);
    // The folder is opened at the first event.
    if (event !== undefined && !["run-started", "progress", "pace"].includes(event.type))
      rmSync(folder, { recursive: true, force: true });
  },
};

it.each(Object.keys(breaks))(
  "a run records all its events where the folder of TensorBoard %s, and warns",
  async (way) => {
    const scratch = scratchFolder();
    const file = writeExperiment(scratch, tablesExperiment);
    const run = await newRun(readExperiment(file), { file, set: [] }, { out: join(scratch, "run") });
    const seen: string[] = [];
    const tensorboard = join(run.folder, "tensorboard");
    breaks[way]!(tensorboard);
    // An observer that is added now gets an event before those of the run do.
    run.observe("test", (event) => {
      breaks[way]!(tensorboard, event);
      if (event.type !== "progress" && event.type !== "pace" && !isFlow(event)) seen.push(event.type);
    });
    expect(await run.start()).toEqual({ outcome: "finished" });
    expect(hasFinished(run.folder)).toBe(true);
    const recorded = readMetrics(metricsPath(run.folder)).filter((event) => !isFlow(event));
    expect(recorded.map(({ type }) => type)).toEqual(seen);
    expect(seen).toContain("match");
    const warnings = recorded.filter((event) => event.type === "note" && event.level === "warning");
    expect(warnings).toMatchObject([{ message: expect.stringMatching(/^TensorBoard was switched off: /) }]);
  },
);
