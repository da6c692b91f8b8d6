import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readExperiment } from "../../../src/graph/experiment-file.ts";
import { RunFolderInvalid } from "../../../src/graph/folder/run-folder-invalid.ts";
import { processAtWork } from "../../../src/graph/folder/run-lock.ts";
import { newRun, resumedRun, type Run } from "../../../src/graph/start-run.ts";
import { checkpointsPath } from "../../../src/operators/run/run-files.ts";
import { checkpointFolders } from "../../../src/operators/run/weights/checkpoint-files.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import {
  resultsOf,
  startRun,
  tablesExperiment,
  writeExperiment,
  zeroExperiment,
} from "../../graph/tiny-run.ts";

const prepare = (folder: string, file: string, out: string) =>
  newRun(readExperiment(file), { file, set: [] }, { out: join(folder, out) });

/** A run that was interrupted at its first checkpoint. */
async function interrupted(folder: string, file: string): Promise<Run> {
  const run = await prepare(folder, file, "run");
  run.observe("test", (event) => {
    if (event.type === "checkpoint") run.stop();
  });
  expect(await run.start()).toEqual({ outcome: "interrupted" });
  return run;
}

describe("a run", () => {
  it("is stopped by an observer, and continues to the same bytes as one that nobody stops", async () => {
    const folder = scratchFolder();
    const file = writeExperiment(folder, tablesExperiment);
    const run = await prepare(folder, file, "stopped");
    const seen = new Set<string>();
    run.observe("test", (event) => {
      seen.add(event.type);
      if (event.type === "checkpoint") run.stop();
    });
    expect(run.stopping).toBe(false);
    expect(await run.start()).toEqual({ outcome: "interrupted" });
    expect(run.stopping).toBe(true);
    expect([...seen]).toEqual(expect.arrayContaining(["run-started", "checkpoint", "run-ended"]));
    const resumed = await resumedRun(run.folder, { workers: 2, asStarted: false });
    expect(await resumed!.start()).toEqual({ outcome: "finished" });
    expect(await resumedRun(run.folder, { asStarted: false })).toBeUndefined();
    expect(await startRun(file, join(folder, "whole"))).toEqual({ outcome: "finished" });
    expect(resultsOf(run.folder)).toEqual(resultsOf(join(folder, "whole")));
  });

  it("ends in the same files if the checkpoint of its interruption has lost its manifest, and the last whole one says the same", async () => {
    const folder = scratchFolder();
    const file = writeExperiment(folder, zeroExperiment);
    const { folder: stopped } = await interrupted(folder, file);
    const partial = checkpointFolders(checkpointsPath(stopped, "zero")).filter((each) => each.partial);
    expect(partial).toHaveLength(1);
    rmSync(join(partial[0]!.path, "checkpoint.json"));
    const resumed = await resumedRun(stopped, { asStarted: false });
    expect(await resumed!.start()).toEqual({ outcome: "finished" });
    expect(await startRun(file, join(folder, "whole"))).toEqual({ outcome: "finished" });
    expect(resultsOf(stopped)).toEqual(resultsOf(join(folder, "whole")));
  });

  it("holds its folder for itself from its preparation to its end", async () => {
    const folder = scratchFolder();
    const file = writeExperiment(folder, tablesExperiment.replace("games: 400", "games: 100"));
    const run = await prepare(folder, file, "run");
    expect(processAtWork(run.folder)).toBe(process.pid);
    await run.start();
    expect(processAtWork(run.folder)).toBeUndefined();
  });

  it("is refused by the caller before anything is written", async () => {
    const folder = scratchFolder();
    const file = writeExperiment(folder, tablesExperiment);
    const out = join(folder, "run");
    const accept = () => {
      throw new Error("not this one");
    };
    await expect(newRun(readExperiment(file), { file, set: [] }, { out, accept })).rejects.toThrow(
      "not this one",
    );
    expect(existsSync(out)).toBe(false);
  });

  it("does not continue if its file has been changed, unless as it was started", async () => {
    const folder = scratchFolder();
    const file = writeExperiment(folder, tablesExperiment);
    const run = await interrupted(folder, file);
    writeFileSync(file, tablesExperiment.replace("games: 400", "games: 300"));
    await expect(resumedRun(run.folder, { asStarted: false })).rejects.toThrow(RunFolderInvalid);
    await expect(resumedRun(run.folder, { asStarted: false })).rejects.toThrow(/games: 400.*games: 300/);
    const resumed = await resumedRun(run.folder, { asStarted: true });
    expect(await resumed!.start()).toEqual({ outcome: "finished" });
  });

  it("continues from what another process has reached when it frees the folder", async () => {
    const folder = scratchFolder();
    const file = writeExperiment(folder, tablesExperiment);
    const run = await interrupted(folder, file);
    // It holds the folder, and the run is finished when it ends.
    const program = join(folder, "finish.mjs");
    writeFileSync(program, finishing(run.folder));
    const other = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(other, "exit");
    await once(other.stdout, "data");
    expect(await resumedRun(run.folder, { asStarted: false })).toBeUndefined();
    expect(processAtWork(run.folder)).toBeUndefined();
    expect(await ended).toEqual([0, null]);
  }, 60_000);

  it("frees its folder if it cannot be prepared", async () => {
    const folder = scratchFolder();
    const file = writeExperiment(folder, tablesExperiment);
    const run = await interrupted(folder, file);
    writeFileSync(file, tablesExperiment.replace("games: 400", "games: 300"));
    await expect(resumedRun(run.folder, { asStarted: false })).rejects.toThrow(RunFolderInvalid);
    expect(processAtWork(run.folder)).toBeUndefined();
  });
});

/** A program that claims a run, says so, and after a moment records its end. It computes nothing, so it ends in time. */
function finishing(folder: string): string {
  const source = (path: string) => new URL(`../../../src/${path}`, import.meta.url).href;
  return `
    import { setTimeout } from "node:timers/promises";
    import { MetricsFile } from "${source("events/metrics-file.ts")}";
    import { metricsPath } from "${source("graph/folder/run-folder.ts")}";
    import { claimRunFolder } from "${source("graph/folder/run-lock.ts")}";
    const folder = ${JSON.stringify(folder)};
    claimRunFolder(folder);
    console.log("claimed");
    await setTimeout(300);
    const metrics = MetricsFile.open(metricsPath(folder));
    metrics.record({ type: "run-ended", outcome: "finished", time: new Date().toISOString(), elapsed: 1 });
    process.exit();`;
}
