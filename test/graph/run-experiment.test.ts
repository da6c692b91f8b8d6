import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { RunEvent } from "../../src/events/event.ts";
import { isFlow } from "../../src/events/flow-event.ts";
import { readMetrics } from "../../src/events/metrics-file.ts";
import { hasFinished, metricsPath } from "../../src/graph/run-folder.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { startRun, tablesExperiment, writeExperiment } from "./tiny-run.ts";

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
        if (event.type !== "progress" && event.type !== "pace" && !isFlow(event)) seen.push(event.type);
      },
    });
    expect(outcome).toEqual({ outcome: "finished" });
    expect(hasFinished(folder)).toBe(true);
    const recorded = readMetrics(metricsPath(folder)).filter((event) => !isFlow(event));
    expect(recorded.map(({ type }) => type)).toEqual(seen);
    expect(seen).toContain("match");
    const warnings = recorded.filter((event) => event.type === "note" && event.level === "warning");
    expect(warnings).toMatchObject([{ message: expect.stringMatching(/^TensorBoard was switched off: /) }]);
  },
);
