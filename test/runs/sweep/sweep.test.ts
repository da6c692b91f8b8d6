import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readSweep } from "../../../src/graph/sweep/sweep-plan.ts";
import { writePages } from "../../../src/report/report.ts";
import { clearUnbegun, openSweepFolder } from "../../../src/runs/sweep/sweep-folder.ts";
import { sweepReport, sweepResults } from "../../../src/runs/sweep/sweep-report.ts";
import { meanEstimate } from "../../../src/stats/intervals.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { FINISHED, LEARNER, makeRun, match, STARTED } from "../make-run.ts";

/** A sweep of lambda and step over two seeds, in a folder in which no run has begun. */
function sweepFolder(grid = "graph.learn.lambda: [0, 0.9]") {
  const folder = scratchFolder();
  const file = join(folder, "toy.yaml");
  writeFileSync(file, `${LEARNER}sweep: { seeds: 2, grid: { ${grid} } }\n`);
  const plan = readSweep(file)!;
  const out = join(folder, "sweep");
  openSweepFolder(out, plan);
  return { file, out, plan };
}

it("reports what each setting and each key does, over seeds, and lists failures and runs to come", () => {
  const { out, plan } = sweepFolder();
  // Seeds 1 and 2: lambda 0.9 gains 5 and 9 on lambda 0.
  const scores = [
    [10, 12],
    [15, 17],
    [20, 22],
    [29, 31],
  ];
  for (const [i, member] of plan.members.entries())
    makeRun([STARTED, match(400, scores[i]!), FINISHED], { folder: join(out, member.name), set: member.set });
  const { comparison, effects, ended, failed, missing } = sweepResults(out);
  expect([ended, failed, missing]).toEqual([4, [], 0]);
  expect(comparison.measurements[0]!.results.map(({ over, value }) => [over, value])).toEqual([
    ["seeds", 16],
    ["seeds", 23],
  ]);
  expect(effects).toEqual([
    {
      stage: "curve",
      agent: "greedy",
      keys: [
        {
          key: "graph.learn.lambda",
          values: [
            { value: 0, runs: 2, mean: 16 },
            { value: 0.9, runs: 2, mean: 23, more: { ...meanEstimate([5, 9]), pairs: 2 } },
          ],
        },
      ],
    },
  ]);
  const html = readFileSync(writePages(out, sweepReport(sweepResults(out))), "utf8");
  expect(html).toContain("graph.learn.lambda: mean score of greedy in curve");
  for (const [, file] of html.matchAll(/href="(data\/[^"]+)"/g)) readFileSync(join(out, file!));
});

it("keeps failures apart: the others are compared", () => {
  const { out, plan } = sweepFolder();
  const [first, second] = plan.members;
  makeRun([STARTED, match(400, [1, 2]), FINISHED], { folder: join(out, first!.name), set: first!.set });
  makeRun([STARTED, { type: "run-ended", outcome: "failed", message: "diverged" }], {
    folder: join(out, second!.name),
    set: second!.set,
  });
  const results = sweepResults(out);
  expect(results.failed).toEqual([{ folder: join(out, second!.name), message: "diverged" }]);
  expect([results.ended, results.missing]).toEqual([1, 2]);
  expect(sweepReport(results).html).toContain("diverged");
});

it("continues a sweep that has gained values, and refuses one whose runs the file would now make otherwise", () => {
  const { file, out, plan } = sweepFolder();
  const [first] = plan.members;
  makeRun([STARTED, FINISHED], { folder: join(out, first!.name), set: first!.set });
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace("[0, 0.9]", "[0, 0.5, 0.9]"));
  openSweepFolder(out, readSweep(file)!);
  expect(sweepResults(out).sweep.runs).toHaveLength(6);
  const stored = readFileSync(join(out, "sweep.json"), "utf8");
  writeFileSync(file, text.replace("games: 400", "games: 500"));
  expect(() => openSweepFolder(out, readSweep(file)!)).toThrow(/graph\.learn\.games was 400 and is now 500/);
  expect(readFileSync(join(out, "sweep.json"), "utf8")).toBe(stored);
});

it("clears the folder of a run that was killed before it had a manifest, and no other", () => {
  const folder = join(scratchFolder(), "run");
  mkdirSync(folder);
  writeFileSync(join(folder, "experiment.yaml"), "name: toy\n");
  clearUnbegun(folder);
  expect(existsSync(folder)).toBe(false);
  mkdirSync(folder);
  writeFileSync(join(folder, "notes.txt"), "mine");
  clearUnbegun(folder);
  clearUnbegun(join(folder, "notes.txt"));
  expect(readFileSync(join(folder, "notes.txt"), "utf8")).toBe("mine");
  const run = makeRun([STARTED]);
  clearUnbegun(run);
  expect(existsSync(join(run, "metrics.jsonl"))).toBe(true);
});

it("refuses a folder that holds something else", () => {
  const { out, plan } = sweepFolder();
  const other = join(out, "..");
  expect(() => openSweepFolder(other, plan)).toThrow(/holds no sweep/);
});
