// `npm run fixed-trees -- RUN...`: the learning curves of experiment 1 of MC Softmax (runs of 2048-mcsoftmax-laptop.yaml and of the
// sweeps that extend it), as CSV (docs/notebook/2048-search-learning.md).
import { encodeCsv } from "../src/formats/csv.ts";
import { column, tabulated } from "../src/formats/table.ts";
import { experimentSettings } from "../src/report/experiment-settings.ts";
import { readRun } from "../src/report/run-data.ts";
import { type DriftPoint, driftPoints } from "./drift-points.ts";

const folders = process.argv.slice(2);
if (folders.length === 0) throw new Error("usage: npm run fixed-trees -- RUN...");

interface Row extends DriftPoint {
  readonly trees: number;
  readonly over: string;
  readonly seed: number;
}

const rows = folders.flatMap((folder): Row[] => {
  const run = readRun(folder);
  const settings = experimentSettings(run);
  if (settings === undefined) throw new Error(`${folder} has no experiment.yaml`);
  const { trees, backup } = settings.agents["player"] as unknown as {
    trees: number;
    backup: { over?: string };
  };
  return driftPoints(run.events, "learn").map((point) => ({
    trees,
    over: backup.over ?? "tree",
    seed: settings.seed,
    ...point,
  }));
});

const { text, integer, number } = column;
const short = (value: number) => Number(value.toPrecision(6));
process.stdout.write(
  encodeCsv(
    tabulated<Row>(rows, [
      text("player", ({ trees }) => `${trees}-tree`),
      text("over", ({ over }) => over),
      integer("seed", ({ seed }) => seed),
      integer("games", ({ games }) => games),
      number("core minutes", ({ coreMinutes }) => short(coreMinutes)),
      number("mean score", ({ meanScore }) => short(meanScore)),
      integer("best game", ({ bestGame }) => bestGame),
      number("V(start)", ({ startValue }) => short(startValue)),
    ]),
  ),
);
