import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isTrainingFigure, trainingFigures } from "../../../src/events/training-figures.ts";
import { factsOf } from "../../../src/events/run-state.ts";
import { readState } from "../../../src/events/metrics-file.ts";
import { metricsPath } from "../../../src/graph/folder/run-folder.ts";
import type { StopSignal } from "../../../src/operators/run/stop-signal.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { resumeRun, startRun, type Watch, writeExperiment, zeroExperiment } from "../../graph/tiny-run.ts";

/** The figures of learning that count, as the lines of `metrics.jsonl` have them, but for time and number. */
function figuresIn(folder: string): string[] {
  return factsOf(readState(metricsPath(folder)))
    .filter(
      (event) => event.type === "self-play-figures" || (event.type === "figure" && isTrainingFigure(event)),
    )
    .map((event) =>
      JSON.stringify(event, (key, value: unknown) =>
        ["elapsed", "seq", "time"].includes(key) ? undefined : value,
      ),
    )
    .toSorted();
}

/** Runs AlphaZero with a warm start in a new folder. */
async function run(
  set: readonly string[] = [],
  watch: (folder: string) => Watch = () => ({}),
): Promise<string> {
  const scratch = scratchFolder();
  const folder = join(scratch, "run");
  await startRun(writeExperiment(scratch, zeroExperiment), folder, set, watch(folder));
  return folder;
}

/** Calls `then` at the first event that tells of this progress. */
function once(stage: string, done: number, then: (stop: StopSignal) => void): Watch {
  let reached = false;
  return {
    onEvent: (event, stop) => {
      if (reached || event.type !== "progress" || event.stage !== stage || event.done !== done) return;
      reached = true;
      then(stop);
    },
  };
}

describe("the figures of learning", () => {
  it("are equal for any number of workers, after a kill and after an interruption within a version", async () => {
    // What a kill would leave in the middle of a generation.
    const killed = join(scratchFolder(), "killed");
    const whole = await run([], (folder) =>
      once("games", 21, () => cpSync(folder, killed, { recursive: true })),
    );
    const figures = figuresIn(whole);
    expect(figures.filter((text) => text.includes('"self-play-figures"'))).toHaveLength(5);
    for (const name of Object.values(trainingFigures))
      expect(figures.filter((text) => text.includes(JSON.stringify(name))).length, name).toBeGreaterThan(2);
    expect(figuresIn(await run(["workers=3"]))).toEqual(figures);
    const stopped = await run([], () => once("weights", 20, (stop) => stop.request()));
    for (const [how, folder] of Object.entries({ killed, stopped })) {
      expect(figuresIn(folder).length, how).toBeLessThan(figures.length);
      await resumeRun(folder);
      expect(figuresIn(folder), how).toEqual(figures);
    }
  });
});
