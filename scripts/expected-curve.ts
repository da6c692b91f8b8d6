// `npm run expected-curve -- STAGE AGENT RUN...`: writes the expected curve of an experiment from the folders of whole runs of it
// that differ only in their seeds, beside the experiments of this package (docs/experiments.md, expected curves).
import { writeFileSync } from "node:fs";
import { curvePath, settingsDigest } from "../src/diagnosis/expected-curve.ts";
import { experimentSettings } from "../src/report/experiment-settings.ts";
import { readRun } from "../src/report/run-data.ts";
import { curveOfRuns } from "./curve-of-runs.ts";

const [stage, agent, ...folders] = process.argv.slice(2);
if (stage === undefined || agent === undefined || folders.length < 2)
  throw new Error("usage: npm run expected-curve -- STAGE AGENT RUN RUN...");
const runs = folders.map((folder) => {
  const data = readRun(folder);
  const last = data.events.at(-1);
  if (last?.type !== "run-ended" || last.outcome !== "finished")
    throw new Error(`${folder} has not finished`);
  const experiment = experimentSettings(data);
  if (experiment === undefined) throw new Error(`${folder} has no experiment.yaml`);
  return { experiment, events: data.events };
});
const [{ experiment }] = runs as [(typeof runs)[number]];
const settings = settingsDigest(experiment);
if (runs.some((run) => settingsDigest(run.experiment) !== settings))
  throw new Error("the settings of these runs differ in more than their seeds");
if (new Set(runs.map((run) => run.experiment.seed)).size < runs.length)
  throw new Error("two of these runs have the same seed: they are the same run");
const curve = curveOfRuns(
  runs.map(({ events }) => events),
  { agent, settings, stage },
);
const path = curvePath(experiment.name);
writeFileSync(path, `${JSON.stringify(curve, null, 2)}\n`);
process.stdout.write(`${path}: ${curve.points.length} rounds of ${curve.runs} runs\n`);
