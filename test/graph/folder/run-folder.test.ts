import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FileNotWritten } from "../../../src/formats/files/file-not-written.ts";
import { checkGraph } from "../../../src/graph/check-graph.ts";
import { readExperiment } from "../../../src/graph/experiment-file.ts";
import { createRunFolder, openRunFolder } from "../../../src/graph/folder/run-folder.ts";
import { RunFolderInvalid } from "../../../src/graph/folder/run-folder-invalid.ts";
import { claimRunFolder, lockName, processAtWork } from "../../../src/graph/folder/run-lock.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { tablesExperiment, writeExperiment } from "../tiny-run.ts";
import { reasonOf } from "../../formats/reason-of.ts";

const now = new Date("2026-01-01T12:34:56Z");

function experimentIn(folder: string) {
  const file = writeExperiment(folder, tablesExperiment);
  return { file, experiment: checkGraph(readExperiment(file, ["seed=7"])).opened.experiment };
}

/** A new run's folder. */
function create(): string {
  const scratch = scratchFolder();
  const { file, experiment } = experimentIn(scratch);
  const { folder, release } = createRunFolder(
    experiment,
    { file, set: ["seed=7"] },
    join(scratch, "run"),
    now,
  );
  release();
  return folder;
}

describe("the folder of a run", () => {
  it("says what was asked for and by what, and opens to the same experiment", () => {
    const folder = create();
    const { manifest, experiment } = openRunFolder(folder);
    expect(experiment).toMatchObject({ name: "tiny-tables", seed: 7, schedule: "synchronous" });
    expect(manifest).toMatchObject({
      name: "tiny-tables",
      id: "20260101-123456-seed7",
      seed: 7,
      started: "2026-01-01T12:34:56.000Z",
      reproducible: true,
      workers: 1,
      source: { set: ["seed=7"] },
    });
    expect(manifest.source.file).toMatch(/^\/.*experiment-file\.yaml$/);
    expect(manifest.versions["node"]).toBe(process.versions.node);
    expect(readdirSync(folder).toSorted()).toEqual(["experiment.yaml", "manifest.json"]);
    // What is in the folder is itself an experiment file.
    expect(checkGraph(readExperiment(join(folder, "experiment.yaml"))).opened.experiment).toEqual(experiment);
  });

  it("says of an asynchronous run that it is not reproducible", () => {
    const scratch = scratchFolder();
    const { file, experiment } = experimentIn(scratch);
    const { folder } = createRunFolder(
      { ...experiment, schedule: "asynchronous" },
      { file, set: [] },
      join(scratch, "r"),
      now,
    );
    expect(openRunFolder(folder).manifest.reproducible).toBe(false);
  });

  it("is not made where a run or anything else is", () => {
    const folder = create();
    const scratch = scratchFolder();
    const { file, experiment } = experimentIn(scratch);
    const at = (out: string) =>
      reasonOf(RunFolderInvalid, () => createRunFolder(experiment, { file, set: [] }, out, now));
    expect(at(folder)).toMatch(/holds a run already; continue it with: ludoflow resume /);
    expect(at(scratch)).toMatch(/is not empty; name a new or empty folder/);
    expect(readdirSync(scratch)).toEqual(["experiment-file.yaml"]);
    mkdirSync(join(scratch, "empty"));
    expect(createRunFolder(experiment, { file, set: [] }, join(scratch, "empty"), now).folder).toBe(
      join(scratch, "empty"),
    );
  });

  it("is not made if nothing can be written, and that is said before work begins", () => {
    const scratch = scratchFolder();
    const { file, experiment } = experimentIn(scratch);
    expect(() => createRunFolder(experiment, { file, set: [] }, join(file, "run"), now)).toThrow(
      /file|folder/,
    );
    const attempt = () => createRunFolder(experiment, { file, set: [] }, "/proc/ludoflow-run", now);
    if (existsSync("/proc/self")) expect(attempt).toThrow(FileNotWritten);
  });

  it("is not opened if it is missing, foreign, damaged or of a newer format", () => {
    const scratch = scratchFolder();
    expect(reasonOf(RunFolderInvalid, () => openRunFolder(join(scratch, "none")))).toMatch(
      /no such run ".*none"; give the folder of a run/,
    );
    expect(reasonOf(RunFolderInvalid, () => openRunFolder(scratch))).toMatch(
      /is not the folder of a run: it has no manifest\.json/,
    );
    const folder = create();
    const path = join(folder, "manifest.json");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace("ludoflow run 2", "ludoflow run 3"));
    expect(reasonOf(RunFolderInvalid, () => openRunFolder(folder))).toMatch(
      /is of the format "ludoflow run 3"; this program reads "ludoflow run 2"/,
    );
    for (const damaged of [text.slice(0, 100), "", "null", "[]", "3"]) {
      writeFileSync(path, damaged);
      expect(reasonOf(RunFolderInvalid, () => openRunFolder(folder))).toMatch(
        /manifest\.json is (damaged|of the format)/,
      );
    }
    writeFileSync(path, text);
    expect(openRunFolder(folder).manifest.seed).toBe(7);
  });

  it("is not opened when its experiment has been changed or is gone", () => {
    const folder = create();
    const path = join(folder, "experiment.yaml");
    writeFileSync(path, readFileSync(path, "utf8").replace("seed: 7", "seed: 8"));
    expect(reasonOf(RunFolderInvalid, () => openRunFolder(folder))).toMatch(
      /experiment\.yaml has been changed since the run began; .* put the file back, or start a new run/,
    );
    rmSync(path);
    expect(reasonOf(RunFolderInvalid, () => openRunFolder(folder))).toMatch(/experiment\.yaml/);
  });

  it("is claimed by one process at a time; a claim that a killed one has left does not count", async () => {
    const folder = create();
    // A shell that never asks for its ended child, which so stays a zombie: on Linux `kill -0` still finds it.
    const shell = spawn("sh", ["-c", "true & echo $!; exec sleep 60"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [printed] = (await once(shell.stdout, "data")) as [Buffer];
    const ended = printed.toString().trim();
    writeFileSync(join(folder, `run.lock.${ended}`), ended);
    await expect.poll(() => processAtWork(folder)).toBeUndefined();
    const locks = () => readdirSync(folder).filter((name) => name.startsWith("run.lock"));
    const own = lockName();
    for (const owner of [ended, String(process.pid), "no number"])
      // Earlier versions wrote the number into one file.
      for (const [name, content] of [
        [`run.lock.${owner}`, owner],
        ["run.lock", owner],
      ] as const) {
        writeFileSync(join(folder, name), content);
        expect(processAtWork(folder)).toBe(owner === String(process.pid) ? process.pid : undefined);
        const release = claimRunFolder(folder);
        expect(locks()).toEqual([own]);
        expect(processAtWork(folder)).toBe(process.pid);
        release();
        expect(locks()).toEqual([]);
      }
    for (const name of [`run.lock.${shell.pid}`, "run.lock"]) {
      writeFileSync(join(folder, name), String(shell.pid));
      expect(reasonOf(RunFolderInvalid, () => claimRunFolder(folder))).toBe(
        `process ${shell.pid} is at work in ${folder}; wait for it or end it (or, if it is not ludoflow, remove ${join(folder, name)})`,
      );
      expect(locks()).toEqual([name]);
      rmSync(join(folder, name));
    }
    writeFileSync(join(folder, `run.lock.${shell.pid}`), "");
    shell.kill("SIGKILL");
    claimRunFolder(folder)();
    expect(locks()).toEqual([]);
  });
});
