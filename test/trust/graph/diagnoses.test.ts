import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { DiagnosisFound, RunEvent } from "../../../src/events/event.ts";
import { readState } from "../../../src/events/metrics-file.ts";
import { factsOfType } from "../../../src/events/run-state.ts";
import { metricsPath } from "../../../src/graph/folder/run-folder.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { resumeRun, startRun } from "../../graph/tiny-run.ts";

const file = join(import.meta.dirname, "../diagnosis/planted/no-noise.yaml");
/** The same fault in a second. */
const small = [
  "agents.learner.simulations=4",
  "agents.player.simulations=4",
  "graph.games.games=120",
  "graph.games.generation=20",
  "graph.weights.steps=4",
  "graph.weights.batch=8",
  "graph.saved={ use: checkpoint, from: weights, keep: 0 }",
];

/** The diagnoses of a run as its file has them, without times. */
function diagnosesIn(folder: string): Omit<DiagnosisFound, "type">[] {
  return factsOfType(readState(metricsPath(folder)), "diagnosis").map(
    ({ cure, learned, name, says, stage, unit }) => ({ stage, name, says, cure, learned, unit }),
  );
}

describe("the diagnoses of a run", () => {
  it("are found after the first generation, for any number of threads, and once also after a stop", async () => {
    const folder = scratchFolder();
    const whole = [1, 2, 3].map((workers) => join(folder, `workers-${workers}`));
    for (const [i, run] of whole.entries()) await startRun(file, run, [...small, `workers=${i + 1}`]);
    const expected = diagnosesIn(whole[0]!);
    expect(expected).toContainEqual(
      expect.objectContaining({ stage: "games", name: "repeated-games", learned: 20, unit: "games" }),
    );
    for (const run of whole) expect(diagnosesIn(run)).toEqual(expected);

    const stopped = join(folder, "stopped");
    const onEvent = (event: RunEvent, stop: { request: () => void }) => {
      if (event.type === "self-play-figures" && event.learned === 60) stop.request();
    };
    expect(await startRun(file, stopped, [...small, "workers=1"], { onEvent })).toEqual({
      outcome: "interrupted",
    });
    expect(await resumeRun(stopped)).toEqual({ outcome: "finished" });
    expect(diagnosesIn(stopped)).toEqual(expected);
  });
});
