import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { openRunFolder } from "../../../src/graph/folder/run-folder.ts";
import { replayGame } from "../../../src/graph/replay-game.ts";
import { resumedRun } from "../../../src/graph/start-run.ts";
import { forkRun } from "../../../src/runs/fork-run.ts";
import {
  overlappedExperiment,
  resultsOf,
  startRun,
  tablesExperiment,
  trainingExperiment,
  writeExperiment,
} from "../../graph/tiny-run.ts";

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const place = (name: string) => join(scratch, name);

/** Forks a run and continues to the end. */
async function forked(parent: string, name: string, at: string | undefined, set: readonly string[]) {
  const { folder, fork } = await forkRun(parent, { at, set, out: place(name) });
  const run = await resumedRun(folder, { asStarted: true });
  expect(await run!.start()).toEqual({ outcome: "finished" });
  return { folder, fork };
}

/** The checksums of checkpoints, without those of the given amounts. */
function checkpointsOf(folder: string, from: number) {
  const entries = Object.entries(resultsOf(folder)).filter(
    ([path]) => path.startsWith("checkpoints") && Number(/\/(\d{10})\//.exec(path)?.[1]) >= from,
  );
  return Object.fromEntries(entries);
}

it("continues a learner on tables: unchanged to the same bytes, changed to others", async () => {
  const tables = writeExperiment(scratch, tablesExperiment, "tables.yaml");
  await startRun(tables, place("tables"));
  const before = resultsOf(place("tables"));
  const same = await forked(place("tables"), "same", "200", []);
  expect(checkpointsOf(same.folder, 200)).toEqual(checkpointsOf(place("tables"), 200));
  expect(same.fork).toMatchObject({ learned: 200, unit: "games", version: 2 });
  const other = await forked(place("tables"), "other", "200", ["graph.learn.lambda=0.9"]);
  expect(checkpointsOf(other.folder, 400)).not.toEqual(checkpointsOf(place("tables"), 400));
  const { manifest, experiment } = openRunFolder(other.folder);
  expect(manifest.fork).toMatchObject({
    run: place("tables"),
    learned: 200,
    set: ["graph.learn.lambda=0.9"],
  });
  expect(manifest.reproducible).toBe(false);
  expect(experiment.graph["learn"]!["lambda"]).toBe(0.9);
  // The run itself stays as it was.
  expect(resultsOf(place("tables"))).toEqual(before);
});

it.each([
  ["training", trainingExperiment.replace("capacity: 60", "capacity: 100000"), "games"],
  ["overlapped", overlappedExperiment.replace("games: 20, fill", "games: 100, fill"), "games"],
])("continues %s from games, whose examples are all kept, to the same bytes", async (name, text, stage) => {
  const file = writeExperiment(scratch, text, `${name}.yaml`);
  await startRun(file, place(name));
  const kept = Object.keys(resultsOf(place(name))).filter((path) =>
    /^checkpoints\/[^/]+\/\d{10}\/checkpoint/.test(path),
  );
  const middle = kept.toSorted()[Math.floor(kept.length / 2)]!;
  const at = middle.replace("/checkpoint.json", "");
  const { folder, fork } = await forked(place(name), `${name}-same`, at, []);
  expect(fork.learned).toBeGreaterThan(0);
  expect(checkpointsOf(folder, fork.learned)).toEqual(checkpointsOf(place(name), fork.learned));
  const games = join("games", `${stage}.games`);
  expect(readFileSync(join(folder, games))).toEqual(readFileSync(join(place(name), games)));
  // A game before the fork and one after it.
  expect((await replayGame(folder, stage, 0)).difference).toBeUndefined();
  const changed = await forked(place(name), `${name}-more`, at, ["graph.weights.rate=0.02"]);
  expect(checkpointsOf(changed.folder, fork.learned + 1)).not.toEqual(
    checkpointsOf(place(name), fork.learned + 1),
  );
});

it("refuses a checkpoint whose examples are gone, another net, and other generations; nothing is written", async () => {
  const file = writeExperiment(scratch, trainingExperiment, "small.yaml");
  await startRun(file, place("small"));
  const fork = (at: string | undefined, ...set: string[]) =>
    forkRun(place("small"), { at, set, out: place("refused") });
  await expect(fork("24")).rejects.toThrow(/the examples of "games" .* are no longer kept/);
  await expect(fork(undefined, "nets.value.hidden=[9]")).rejects.toThrow(/it holds the net/);
  await expect(fork(undefined, "graph.games.generation=20")).rejects.toThrow(
    /generation was 10 and cannot be 20/,
  );
  await expect(fork("77")).rejects.toThrow(/has no checkpoint "77" \(checkpoints here: checkpoints\/value\//);
  await expect(fork(undefined, "graph.games.gammes=20")).rejects.toThrow(/unknown key "gammes"/);
  const examples = join(place("small"), "examples/games");
  for (const name of readdirSync(examples)) {
    renameSync(join(examples, name), place("taken"));
    await expect(fork(undefined)).rejects.toThrow(`${join(examples, name)} is damaged`);
    renameSync(place("taken"), join(examples, name));
  }
  expect(existsSync(place("refused"))).toBe(false);
});
