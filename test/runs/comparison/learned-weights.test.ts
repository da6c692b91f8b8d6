import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { comparisonText } from "../../../src/cli/comparison-text.ts";
import { type Comparison, compareRuns, openComparedRun } from "../../../src/runs/comparison/comparison.ts";
import { comparisonReport } from "../../../src/runs/comparison/comparison-report.ts";
import { meanEstimate } from "../../../src/stats/intervals.ts";
import type { RunEvent } from "../../../src/events/event.ts";
import { FINISHED, makeRun, STARTED } from "../make-run.ts";

const weights = (stage: string, learned: number, values: readonly number[]): RunEvent => ({
  type: "weights",
  stage,
  learned,
  unit: "games",
  names: ["own", "their"],
  values,
});

/** Two runs: `long` ends at [1, 0] and at [0, 2]; `short` ends beside it in the first run alone. */
const runs = [
  [
    weights("long", 1, [0, 0]),
    weights("long", 2, [1, 1]),
    weights("long", 10, [1, 0.2]),
    weights("long", 20, [1, 0]),
    weights("short", 1, [1, 1]),
    weights("short", 2, [3, 0]),
    weights("short", 3, [3, 0.1]),
  ],
  [
    weights("long", 1, [0, 1.9]),
    weights("long", 2, [0, 1.9]),
    weights("long", 10, [0, 1.9]),
    weights("long", 20, [0, 2]),
    weights("short", 1, [-1, 0]),
    weights("short", 2, [0, 1]),
    weights("short", 3, [1, 0]),
  ],
];

let folder: string;
let comparison: Comparison;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
  comparison = compareRuns(
    runs.map((events, i) =>
      openComparedRun(
        makeRun([STARTED, ...events, FINISHED], {
          folder: join(folder, `run-${i}`),
          set: [`seed=${i + 1}`],
        }),
      ),
    ),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("the weights of several runs", () => {
  it("show from which game they settle, and keep the direction of the learner with the most games", () => {
    const [long, short] = comparison.weights;
    expect(comparison.weights).toHaveLength(2);
    expect(long).toMatchObject({ stage: "long", reference: "long", runs: 2 });
    expect(long!.settled).toEqual({ runs: 2, ...meanEstimate([20, 1]) });
    expect(long!.directed).toEqual({ runs: 2, ...meanEstimate([10, 1]) });
    expect(short).toMatchObject({ stage: "short", reference: "long", runs: 2 });
    expect(short!.settled).toEqual({ runs: 2, ...meanEstimate([2, 3]) });
    // In the second run it ends at a right angle.
    expect(short!.directed).toEqual({ runs: 1, ...meanEstimate([2]) });
  });

  it("have a mean cosine after round numbers of games, without runs whose weights are 0", () => {
    const [long, short] = comparison.weights;
    expect(long!.cosines.map(({ games, runs: of }) => [games, of])).toEqual([
      [1, 1],
      [2, 2],
      [10, 2],
      [20, 2],
    ]);
    expect(long!.cosines[1]!.value).toBeCloseTo((Math.SQRT1_2 + 1) / 2, 12);
    expect(short!.cosines.map(({ games }) => games)).toEqual([1, 2]);
    // Over two seeds Student's t reaches beyond what a cosine can be.
    expect(meanEstimate([Math.SQRT1_2, 0]).interval[1]).toBeGreaterThan(1);
    expect(short!.cosines[0]).toEqual({
      ...meanEstimate([1 / Math.hypot(1, 1), 0]),
      games: 1,
      runs: 2,
      interval: [-1, 1],
    });
    expect(short!.cosines[1]).toEqual({ games: 2, runs: 2, ...meanEstimate([1, 1]) });
  });

  it("are in the text and on the page; runs without named weights have none", () => {
    const text = comparisonText(comparison);
    expect(text).toContain("short: weights");
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    const { html, tables } = comparisonReport(comparison);
    expect(html).toContain("Cosine to the final weights");
    const settled = tables.find(({ name }) => name === "weights-settled")!;
    expect(settled.rows.map((row) => [row[0], row[2], row[3], row[7], row[8]])).toEqual([
      ["long", 2, 10.5, 2, 5.5],
      ["short", 2, 2.5, 1, 2],
    ]);
    const without = compareRuns(
      [1, 2].map((seed) => openComparedRun(makeRun([STARTED, FINISHED], { set: [`seed=${seed}`] }))),
    );
    expect(without.weights).toEqual([]);
    expect(comparisonReport(without).tables.map(({ name }) => name)).not.toContain("weights-settled");
    expect(comparisonText(without)).not.toContain("weights");
  });
});
