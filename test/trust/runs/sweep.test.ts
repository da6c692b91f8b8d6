import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { readSweep } from "../../../src/graph/sweep/sweep-plan.ts";
import { sweepResults } from "../../../src/runs/sweep/sweep-report.ts";
import { ludoflow } from "../../cli/run-cli.ts";
import { resultsOf, startRun, tablesExperiment, writeExperiment } from "../../graph/tiny-run.ts";

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const place = (name: string) => join(scratch, name);

const sweep = (keys: string) => `${tablesExperiment}\nsweep: { seeds: [12, 13], ${keys} }\n`;

it("continues after a kill -9 of the sweep, and its runs end in the bytes of single runs", async () => {
  writeFileSync(place("sweep.yaml"), sweep("grid: { graph.learn.lambda: [0, 0.9] }"));
  const killed = ludoflow(["sweep", "sweep.yaml", "--out", "killed"], scratch);
  await killed.said("begins");
  await setTimeout(1500);
  killed.process.kill("SIGKILL");
  expect((await killed.ended).signal).toBe("SIGKILL");
  const { code, err } = await ludoflow(["sweep", "sweep.yaml", "--out", "killed", "--jobs", "2"], scratch)
    .ended;
  expect(err).toMatch(/Report: killed\/report\.html\n$/);
  expect(code).toBe(0);
  const results = sweepResults(place("killed"));
  expect([results.ended, results.failed, results.missing]).toEqual([4, [], 0]);
  const member = readSweep(place("sweep.yaml"))!.members.find(
    ({ seed, settings }) => seed === 13 && settings["graph.learn.lambda"] === 0.9,
  )!;
  const single = tablesExperiment
    .replace("seed: 12", "seed: 13")
    .replace("every: 100,", "every: 100, lambda: 0.9,");
  await startRun(writeExperiment(scratch, single, "single.yaml"), place("single"));
  expect(resultsOf(join(place("killed"), member.name))).toEqual(resultsOf(place("single")));
  rmSync(place("killed/sweep.json"));
  const lost = await ludoflow(["report", "killed"], scratch).ended;
  expect([lost.code, lost.out.trim().split("\n").length]).toEqual([0, 4]);
  expect(lost.err.split("\n")[0]).toBe(
    "killed: the report of this sweep cannot be written, for its sweep.json is missing: put it back. Its runs have reports of their own",
  );
  const own = await ludoflow(["report", join("killed", member.name)], scratch).ended;
  expect([own.code, own.err]).toEqual([
    0,
    expect.stringMatching(/^\d+ figures? for papers: killed\/.*\/figures\/\*\.svg\n$/),
  ]);
});

it("continues with one run for each core, if nothing else is said", async () => {
  const cores = availableParallelism();
  const seeds = Array.from({ length: cores + 1 }, (_, i) => i + 1);
  const short = tablesExperiment.replace("games: 400, every: 100", "games: 40, every: 40");
  writeFileSync(place("cores.yaml"), `${short}\nsweep: { seeds: [${seeds.join(", ")}] }\n`);
  const { code, err } = await ludoflow(["sweep", "cores.yaml", "--out", "cores"], scratch).ended;
  expect(err).toContain(`${cores} at the same time, each with 1 worker thread\n`);
  // The last run begins when another has ended.
  const [before] = err.split(/: finished/);
  expect(before!.match(/: begins$/gm)).toHaveLength(cores);
  expect(err.match(/: begins$/gm)).toHaveLength(cores + 1);
  expect(code).toBe(0);
});

it("runs the shards of a sweep apart, each run once, and the last one reports all", async () => {
  writeFileSync(place("shards.yaml"), sweep("list: [{ graph.learn.lambda: 0 }]"));
  const shard = async (part: string) =>
    (await ludoflow(["sweep", "shards.yaml", "--out", "shards", "--shard", part], scratch).ended).code;
  expect(await shard("2/2")).toBe(0);
  expect(sweepResults(place("shards"))).toMatchObject({ ended: 1, missing: 1 });
  expect(await shard("1/2")).toBe(0);
  expect(sweepResults(place("shards"))).toMatchObject({ ended: 2, missing: 0 });
  expect(await shard("3/2")).toBe(2);
  // What an earlier call has finished is not taken as sound when it has been damaged since.
  const { name } = readSweep(place("shards.yaml"))!.members[0]!;
  const checkpoint = join(place("shards"), name, "checkpoints/value/0000000400/checkpoint.json");
  writeFileSync(checkpoint, readFileSync(checkpoint, "utf8").replace("400", "401"));
  const { code, err } = await ludoflow(["sweep", "shards.yaml", "--out", "shards"], scratch).ended;
  expect(code).toBe(1);
  expect(err).toMatch(new RegExp(`^damaged: ${name}: .*checkpoint\\.json`, "m"));
  expect(err).toContain(
    "1 of 2 runs are damaged and left out of the report; remove their folders to run them anew with: ludoflow sweep shards.yaml --out shards",
  );
});

it("keeps a run that fails apart: the others end, the reason is reported, and the exit code is 1", async () => {
  // A run whose folder is a file cannot begin.
  writeFileSync(place("fails.yaml"), sweep("grid: { graph.learn.lambda: [0.5] }"));
  const [first, second] = readSweep(place("fails.yaml"))!.members;
  const begun = ludoflow(["sweep", "fails.yaml", "--out", "fails", "--shard", "2/2"], scratch);
  expect((await begun.ended).code).toBe(0);
  writeFileSync(join(place("fails"), first!.name), "in the way");
  const { code, err } = await ludoflow(["sweep", "fails.yaml", "--out", "fails"], scratch).ended;
  expect(code).toBe(1);
  expect(err).toContain(`failed: ${first!.name}:`);
  expect(err).toContain(
    "1 of 2 runs have failed; try them again with: ludoflow sweep fails.yaml --out fails",
  );
  expect(readFileSync(join(place("fails"), second!.name, "report.html"), "utf8")).toContain("curve");
});
