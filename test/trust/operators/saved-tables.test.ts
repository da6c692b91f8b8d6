import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openGame } from "../../../src/games/registry.ts";
import { readExperiment } from "../../../src/graph/experiment-file.ts";
import { ownerOf } from "../../../src/operators/experiment/open-experiment.ts";
import { checkpointsPath } from "../../../src/operators/run/run-files.ts";
import { listCheckpoints, readCheckpoint } from "../../../src/operators/run/weights/checkpoint-files.ts";
import { packageRoot } from "../../../src/package-root.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { linearExperiment, startRun, tablesExperiment, writeExperiment } from "../../graph/tiny-run.ts";

const text = readFileSync(join(packageRoot(), "docs/formats.md"), "utf8");
/** What the page says of the tensors of a kind of models. */
const section = (title: string) => text.split(`### Tensors of ${title}\n`)[1]!.split(/^##/m)[0]!;
/** The names of tensors in a text. */
const namesIn = (page: string) =>
  new Set([...page.matchAll(/`((?:weights|learner)\/\w+|monitor)`/g)].map(([, name]) => name!));

/** The tensors of the last checkpoint of a run of an experiment, by name: their shapes. */
async function savedBy(experiment: string, net: string): Promise<Record<string, readonly number[]>> {
  const folder = scratchFolder();
  const file = writeExperiment(folder, experiment);
  const run = join(folder, "run");
  expect(await startRun(file, run)).toEqual({ outcome: "finished" });
  const { path } = listCheckpoints(checkpointsPath(run, net)).at(-1)!;
  const { tensors } = readCheckpoint(path, ownerOf(readExperiment(file).experiment, net));
  return Object.fromEntries([...tensors].map(([name, { shape }]) => [name, shape]));
}

it("docs/formats.md names the tensors of N-tuple networks, with their axes", async () => {
  const coherent = tablesExperiment.replace("restart: 12", "step: tc, restart: 12");
  const saved = await savedBy(coherent, "value");
  const page = section("N-tuple networks");
  expect(Object.keys(saved).filter((name) => !namesIn(page).has(name))).toEqual([]);
  expect([...namesIn(page)].filter((name) => !(name in saved) && !/begin|kept/.test(name))).toEqual([]);
  const [n] = saved["weights/weights"]!;
  expect(saved["weights/weights"]).toEqual([n]);
  expect(saved["weights/values"]).toEqual([n]);
  const [touched] = saved["learner/weights"]!;
  expect(saved["learner/values"]).toEqual([touched, 2]);
  expect(saved["monitor"]).toEqual([expect.any(Number), 2]);
});

it("docs/formats.md names the tensors of linear models, with their axes", async () => {
  const saved = await savedBy(linearExperiment, "opened");
  const page = section("linear models");
  expect(Object.keys(saved).filter((name) => !namesIn(page).has(name))).toEqual([]);
  expect(saved["weights/weights"]).toEqual([openGame("tic-tac-toe").linear!.features!.names.length]);
  expect(saved["learner/games"]).toEqual([1]);
});
