// `npm run td-plateaus -- RUN...`: a table of how long the direction of the weights of each TD learner of these runs stays, from
// all recorded weights and games (`record: 1`), as CSV (docs/notebook/td-lambda.md).
import { existsSync } from "node:fs";
import { join } from "node:path";
import { encodeCsv } from "../src/formats/csv.ts";
import { decodeGameRecord } from "../src/formats/game-records.ts";
import { RecordLogReader } from "../src/formats/record-log.ts";
import { column, tabulated } from "../src/formats/table.ts";
import { experimentSettings } from "../src/report/experiment-settings.ts";
import { readRun } from "../src/report/run-data.ts";
import { weightCurvesOf } from "../src/report/weight-curves.ts";
import { gamesOfPlateau, type LearnedGame, steadinessOf } from "./weight-plateaus.ts";

const folders = process.argv.slice(2);
if (folders.length === 0) throw new Error("usage: npm run td-plateaus -- RUN...");

const rows = folders.flatMap((folder) => {
  const run = readRun(folder);
  const settings = experimentSettings(run);
  if (settings === undefined) throw new Error(`${folder} has no experiment.yaml`);
  return weightCurvesOf(run).map((curves) => {
    const { exploration, traces = "cut" } = settings.graph[curves.stage] as unknown as {
      exploration: { use: string; epsilon?: number };
      traces?: string;
    };
    const steadiness = steadinessOf(curves);
    return {
      stage: curves.stage,
      exploration: exploration.use,
      epsilon: exploration.epsilon,
      traces,
      seed: settings.seed,
      games: curves.games.at(-1)!,
      ...steadiness,
      ...gamesOfPlateau(steadiness.plateau, gamesOf(join(folder, "games", `${curves.stage}.games`))),
    };
  });
});

function gamesOf(path: string): LearnedGame[] {
  if (!existsSync(path)) return [];
  const log = new RecordLogReader(path);
  try {
    return [...log].map((bytes) => {
      const { game, returns } = decodeGameRecord(bytes, path);
      return { number: game + 1, scores: returns };
    });
  } finally {
    log.close();
  }
}

const { text, integer, number } = column;
type Row = (typeof rows)[number];
process.stdout.write(
  encodeCsv(
    tabulated<Row>(rows, [
      text("stage", ({ stage }) => stage),
      text("exploration", ({ exploration }) => exploration),
      number("epsilon", ({ epsilon }) => epsilon),
      text("traces", ({ traces }) => traces),
      integer("seed", ({ seed }) => seed),
      integer("games", ({ games }) => games),
      integer("moved", ({ moved }) => moved),
      integer("longest from", ({ longest }) => longest.from),
      integer("longest to", ({ longest }) => longest.to),
      integer("plateau from", ({ plateau }) => plateau.from),
      integer("plateau to", ({ plateau }) => plateau.to),
      number("cosine to last", ({ likeness }) => likeness),
      integer("last direction from", ({ final }) => final),
      number("won within", ({ within }) => within.won),
      number("different within", ({ within }) => within.different),
      number("won after", ({ after }) => after.won),
      number("different after", ({ after }) => after.different),
    ]),
  ),
);
