import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readMetrics } from "../../../src/events/metrics-file.ts";
import { buildReport } from "../../../src/report/report.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { resultsOf, resumeRun, startRun, writeExperiment } from "../../graph/tiny-run.ts";
import { writeArchive } from "./go-archive.ts";

const experiment = `
name: supervised-run
seed: 8
workers: 1
compute: { threads: 1 }
game: { rules: go, size: 5, komi: 0 }
nets:
  policy: { use: convolutional, filters: 8, layers: 2, planes: compact }
  playouts: { use: linear-policy }
graph:
  records: { use: sgf, sources: [archive], validation: 0.2, test: 0.1 }
  learned: { use: supervised, from: records, net: policy, batch: 16, steps: 60, every: 20, rate: 0.01 }
  saved: { use: checkpoint, from: learned, keep: 0 }
  curve: { use: policy-accuracy, from: records, after: learned, policies: [{ net: policy }], positions: 80 }
  fast: { use: supervised, from: records, net: playouts, batch: 64, steps: 80, every: 40, rate: 0.1 }
  kept: { use: checkpoint, from: fast, keep: 0 }
  last: { use: policy-accuracy, from: records, part: test, policies: [{ net: policy }, { net: policy, symmetries: ensemble }, { net: playouts }] }
`;

const accuracies = (folder: string) =>
  readMetrics(join(folder, "metrics.jsonl"))
    .filter((event) => event.type === "accuracy")
    .map(({ elapsed: _elapsed, seq: _seq, time: _time, ...event }) => event);

describe("a run that learns from recorded games", () => {
  it("ends in the same bytes with two workers, and after a kill; its report has the accuracy", async () => {
    const scratch = scratchFolder();
    writeArchive(join(scratch, "archive"));
    const file = writeExperiment(scratch, experiment);
    const folder = join(scratch, "run");
    const killed = join(scratch, "killed");
    const outcome = await startRun(file, folder, [], {
      onEvent: (event) => {
        if (event.type === "checkpoint" && event.stage === "saved" && event.learned === 20)
          cpSync(folder, killed, { recursive: true });
      },
    });
    expect(outcome).toEqual({ outcome: "finished" });
    const results = resultsOf(folder);
    const told = accuracies(folder);
    const curve = told.filter(({ stage }) => stage === "curve");
    expect(curve.map(({ learned, seen }) => [learned, seen])).toEqual([
      [0, 0],
      [20, 320],
      [40, 640],
      [60, 960],
    ]);
    const top1 = (event: (typeof told)[number], policy = 0) => event.policies[policy]!.top1.value;
    // Of about 20 legal moves the first one is played in three of four cases.
    expect(top1(curve.at(-1)!)).toBeGreaterThan(2 * top1(curve[0]!));
    const last = told.find(({ stage }) => stage === "last")!;
    expect(last.policies).toHaveLength(3);
    const two = join(scratch, "two");
    expect(await startRun(file, two, ["workers=2"])).toEqual({
      outcome: "finished",
    });
    expect(resultsOf(two)).toEqual(results);
    expect(accuracies(two).find(({ stage }) => stage === "last")).toEqual(last);
    await resumeRun(killed, { workers: 1 });
    expect(resultsOf(killed)).toEqual(results);
    expect(accuracies(killed).find(({ stage }) => stage === "last")).toEqual(last);
    const report = buildReport(folder);
    expect(report.html).toContain("Moves predicted");
    expect(report.tables.find(({ name }) => name === "moves-predicted")!.rows).toHaveLength(7);
  });
});
