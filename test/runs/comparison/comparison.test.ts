import { afterAll, beforeAll, expect, it } from "vitest";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { comparisonText } from "../../../src/cli/comparison-text.ts";
import { metricsPath } from "../../../src/graph/folder/run-folder.ts";
import { SavedLogs } from "../../../src/operators/run/saved-logs.ts";
import { writePages } from "../../../src/report/report.ts";
import { compareRuns, openComparedRun, type OpenedRun } from "../../../src/runs/comparison/comparison.ts";
import { comparisonReport } from "../../../src/runs/comparison/comparison-report.ts";
import { meanEstimate } from "../../../src/stats/intervals.ts";
import { FINISHED, makeRun, match, STARTED } from "../make-run.ts";

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "ludoflow-test-"))));
afterAll(() => rmSync(folder, { recursive: true }));

let made = 0;
const run = (seed: number, lambda: number, scores: readonly (readonly number[])[]) =>
  makeRun([STARTED, ...scores.map((returns, i) => match(100 * (i + 1), returns)), FINISHED], {
    folder: join(folder, `run-${made++}`),
    set: [`seed=${seed}`, `graph.learn.lambda=${lambda}`],
  });

/** Two settings with two seeds each. */
let runs: OpenedRun[];
beforeAll(() => {
  runs = [
    run(1, 0.5, [
      [10, 12],
      [20, 22],
    ]),
    run(2, 0.5, [
      [12, 14],
      [24, 26],
    ]),
    run(1, 0.9, [
      [10, 10],
      [30, 32],
    ]),
    run(2, 0.9, [
      [11, 13],
      [38, 40],
    ]),
  ].map(openComparedRun);
});

it("groups runs that differ in the seed alone, and names the settings that differ", () => {
  const { groups, settings, runs: compared } = compareRuns(runs);
  expect(groups).toEqual([
    { name: "lambda 0.5", seeds: [1, 2] },
    { name: "lambda 0.9", seeds: [1, 2] },
  ]);
  expect(settings).toEqual([{ path: "graph.learn.lambda", values: [0.5, 0.9] }]);
  expect(compared.map(({ group, state }) => [group, state])).toEqual([
    ["lambda 0.5", "finished"],
    ["lambda 0.5", "finished"],
    ["lambda 0.9", "finished"],
    ["lambda 0.9", "finished"],
  ]);
});

it("names runs that differ in the seed alone by their experiment", () => {
  const { groups, runs: compared } = compareRuns(runs.slice(0, 2));
  expect(groups).toEqual([{ name: compared[0]!.experiment, seeds: [1, 2] }]);
  expect(groups[0]!.name).not.toBe("");
});

it("estimates means over seeds, and differences paired by seed", () => {
  const [measurement] = compareRuns(runs).measurements;
  expect(measurement!.results.map(({ value, over, learned }) => [value, over, learned])).toEqual([
    [23, "seeds", 200],
    [35, "seeds", 200],
  ]);
  expect(measurement!.results[0]!.interval).toEqual(meanEstimate([21, 25]).interval);
  expect(measurement!.differences).toEqual([
    {
      group: "lambda 0.9",
      baseline: "lambda 0.5",
      method: "paired by seed, Student's t over seeds",
      pairs: 2,
      ...meanEstimate([10, 14]),
    },
  ]);
  expect(measurement!.differenceCurves).toEqual([
    {
      group: "lambda 0.9",
      baseline: "lambda 0.5",
      points: [
        {
          learned: 100,
          method: "paired by seed, Student's t over seeds",
          pairs: 2,
          ...meanEstimate([-1, -1]),
        },
        {
          learned: 200,
          method: "paired by seed, Student's t over seeds",
          pairs: 2,
          ...meanEstimate([10, 14]),
        },
      ],
    },
  ]);
  expect(
    measurement!.curves[1]!.points.map(({ learned, played, value }) => [learned, played, value]),
  ).toEqual([
    [100, 100, 11],
    [200, 200, 35],
  ]);
});

it("compares two single runs over their games: paired if they have one seed, else not", () => {
  const same = compareRuns([runs[0]!, runs[2]!]).measurements[0]!;
  expect(same.results.map(({ over }) => over)).toEqual(["games", "games"]);
  expect(same.differences[0]).toMatchObject({
    value: 10,
    pairs: 2,
    method: "paired by game, Student's t over games of one seed",
  });
  const other = compareRuns([runs[0]!, runs[3]!]).measurements[0]!;
  expect(other.differences[0]).toMatchObject({ value: 18, method: "Welch's t over games of one seed" });
});

it("is refused by a run that has lost events at its end", () => {
  const whole = run(1, 0.5, [[10, 12]]);
  const path = metricsPath(whole);
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const bytes = statSync(path).size;
  const notes = new SavedLogs(whole);
  notes.add({ path, synced: { last: bytes - Buffer.byteLength(lines.at(-1)!) - 1, bytes } });
  notes.write();
  expect(openComparedRun(whole).state).toBe("finished");
  writeFileSync(path, `${lines.slice(0, -1).join("\n")}\n`);
  expect(() => openComparedRun(whole)).toThrow(/metrics\.jsonl is damaged: the line that was saved/);
});

it("compares after the greatest amount of learning that all runs have, while one is at work; at their ends when all have ended", () => {
  const shorter = openComparedRun(run(3, 0.7, [[5, 7]]));
  const ended = compareRuns([...runs, shorter]).measurements[0]!;
  expect(ended.results.map(({ learned }) => learned)).toEqual([200, 200, 100]);
  const { groups, measurements } = compareRuns([...runs, { ...shorter, state: "stopped" }]);
  expect(groups.map(({ name }) => name)).toEqual(["lambda 0.5", "lambda 0.9", "lambda 0.7"]);
  expect(measurements[0]!.results.map(({ learned, value }) => [learned, value])).toEqual([
    [100, 12],
    [100, 11],
    [100, 6],
  ]);
});

it("finds no difference of a run from itself, and no settings", () => {
  const { groups, settings, measurements } = compareRuns([runs[0]!, runs[1]!]);
  expect(groups).toHaveLength(1);
  expect(settings).toEqual([]);
  expect(measurements[0]!.differences).toEqual([]);
});

it("prints tables of at most 80 columns, and a page whose figures have their data", () => {
  const comparison = compareRuns(runs);
  const text = comparisonText(comparison);
  expect(text).toContain("lambda 0.9     2    35  [-16, 86]   +12  [-13, +37]");
  expect(Math.max(...text.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(80);
  const page = join(folder, "comparison");
  const html = readFileSync(writePages(page, comparisonReport(comparison)), "utf8");
  expect(html).toContain("Mean score of greedy over games learned from");
  for (const [, file] of html.matchAll(/href="(data\/[^"]+)"/g)) readFileSync(join(page, file!));
  expect(readFileSync(join(page, "data/differences.csv"), "utf8")).toContain("lambda 0.9,lambda 0.5,12,");
});

/** A run whose rounds were reached after these processor seconds. */
function timed(opened: OpenedRun, seconds: readonly (number | undefined)[]): OpenedRun {
  return {
    ...opened,
    curves: opened.curves.map((curve) => ({
      ...curve,
      points: curve.points.map((point, i) => ({ ...point, seconds: seconds[i] })),
    })),
  };
}

it("compares after equal processor time: each run where it was measured last within the time of the shortest", () => {
  const times = [
    [10, 20],
    [11, 21],
    [20, 40],
    [19, 39],
  ];
  const [measurement] = compareRuns(
    runs.map((opened, i) => timed(opened, times[i]!)),
    { equalTime: true },
  ).measurements;
  expect(measurement!.seconds).toBe(20);
  // The second run of the first setting was measured after 21 seconds, beyond 20.
  expect(measurement!.perRun.map(({ value }) => value)).toEqual([21, 13, 10, 12]);
  expect(measurement!.results.map(({ learned }) => learned)).toEqual([150, 100]);
  expect(measurement!.differences[0]).toMatchObject({ group: "lambda 0.9", value: -6, pairs: 2 });
  const text = comparisonText(
    compareRuns(
      runs.map((each, i) => timed(each, times[i]!)),
      { equalTime: true },
    ),
  );
  expect(text).toContain("mean score of greedy after 20 seconds of processor time");
  expect(() => compareRuns(runs, { equalTime: true })).toThrow(/does not record its processor time/);
});

it("names groups by one setting that distinguishes them, a `use` before others, if all that differ are too many", () => {
  const changed = runs.map((opened, i) => ({
    ...opened,
    settings: new Map<string, unknown>([
      ...opened.settings,
      ["agents.greedy.simulations", i < 2 ? 64 : 16],
      ["agents.greedy.use", i < 2 ? "puct-max-n" : "gumbel"],
    ]),
  }));
  const comparison = compareRuns(changed);
  expect(comparison.namedBy).toBe("setting");
  expect(comparison.groups.map(({ name }) => name)).toEqual(["use puct-max-n", "use gumbel"]);
  expect(comparisonText(comparison)).toContain("  use gumbel: 16\n");
});

it("lists sixteen of the settings in which other experiments differ, and counts the rest", () => {
  const changed = runs.map((opened, i) => ({
    ...opened,
    settings: new Map<string, unknown>([
      ...opened.settings,
      ...Array.from({ length: 40 }, (_, n) => [`agents.a${n}.use`, i < 2 ? "uct" : "random"] as const),
    ]),
  }));
  const text = comparisonText(compareRuns(changed));
  expect(text.match(/^(?:agents|graph)\.\S+$/gm)).toHaveLength(16);
  expect(text).toContain("\nand 25 more settings: --json and --out FOLDER have all\n");
});

it("keeps the interval of shares over seeds within 0 and 1", () => {
  const won = runs.map((opened, i) => ({
    ...opened,
    curves: opened.curves.map((curve) => ({
      ...curve,
      points: curve.points.map((point) => ({
        ...point,
        measure: "share won" as const,
        value: [0.01, 0.09, 0.99, 0.91][i]!,
      })),
    })),
  }));
  const [low, high] = compareRuns(won).measurements[0]!.results;
  expect(low!.interval[0]).toBe(0);
  expect(low!.interval[1]).toBeGreaterThan(0.09);
  expect(high!.interval[0]).toBeLessThan(0.91);
  expect(high!.interval[1]).toBe(1);
});
