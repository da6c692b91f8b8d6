import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DuckDBConnection } from "@duckdb/node-api";
import { parquetMetadata } from "hyparquet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeCsv } from "../../../src/formats/csv.ts";
import { writePages, writeReport } from "../../../src/report/report.ts";
import { compareRuns, openComparedRun } from "../../../src/runs/comparison/comparison.ts";
import { comparisonReport } from "../../../src/runs/comparison/comparison-report.ts";
import { findRuns } from "../../../src/runs/find-runs.ts";
import { linearExperiment, startRun, tablesExperiment, writeExperiment } from "../../graph/tiny-run.ts";
import { textOf } from "../../docs/pages.ts";

const page = textOf("docs/dataset.md");
const queries = [...page.matchAll(/^([^\n]*)\n\n```sql\n(.*?)^```$/gms)].map(
  ([, about, sql]) => [about!, sql!] as const,
);

/** Four runs of a learner, two values of lambda with two seeds each, and one of other stages on another game. */
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
  const file = writeExperiment(folder, tablesExperiment, "tables.yaml");
  const runs = join(folder, "runs");
  for (const lambda of [0, 0.5])
    for (const seed of [1, 2]) {
      const run = join(runs, "tables", "sweep", `lambda=${lambda}-seed${seed}`);
      await startRun(file, run, [`seed=${seed}`, `graph.learn.lambda=${lambda}`]);
      writeReport(run);
    }
  const other = join(runs, "linear", "run");
  await startRun(writeExperiment(folder, linearExperiment, "linear.yaml"), other);
  writeReport(other);
});

/** The tables of a comparison lie in the same folder, and are no part of the dataset. */
beforeAll(() => {
  const runs = findRuns(join(folder, "runs", "tables")).map(openComparedRun);
  writePages(join(folder, "runs", "tables", "sweep"), comparisonReport(compareRuns(runs)));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The rows of a query of the page, on the runs of this test. */
async function rowsOf(sql: string): Promise<Record<string, unknown>[]> {
  const connection = await DuckDBConnection.create();
  try {
    const here = sql.replaceAll("'runs/", `'${folder}/runs/`).replace("TO 'games'", `TO '${folder}/games'`);
    return (await connection.runAndReadAll(here)).getRowObjectsJson();
  } finally {
    connection.closeSync();
  }
}

const query = (about: string) => queries.find(([title]) => title.startsWith(about))![1];

describe("the dataset of runs", () => {
  it("has one schema for each table, in every run, also as CSV", () => {
    const schemas = new Map<string, Set<string>>();
    const ofRuns = findRuns(join(folder, "runs")).flatMap((run) => globSync(`${run}/data/*.parquet`));
    for (const path of ofRuns) {
      const { schema } = parquetMetadata(new Uint8Array(readFileSync(path)).buffer);
      const columns = schema.slice(1).map(({ name, type }) => `${name} ${type}`);
      expect(columns.slice(0, 3)).toEqual(["experiment BYTE_ARRAY", "run BYTE_ARRAY", "seed INT64"]);
      const name = basename(path, ".parquet");
      schemas.set(name, (schemas.get(name) ?? new Set()).add(columns.join(", ")));
      if (name === "games" || name === "game-facts") continue;
      const [head] = decodeCsv(readFileSync(path.replace(/parquet$/, "csv"), "utf8"));
      expect(head!.fields).toEqual(schema.slice(1).map((column) => column.name));
    }
    expect(schemas.size).toBeGreaterThan(12);
    const ofComparison = globSync(`${folder}/runs/tables/sweep/data/*.parquet`).map((path) =>
      basename(path, ".parquet"),
    );
    expect(ofComparison.length).toBeGreaterThan(3);
    expect(ofComparison.filter((name) => schemas.has(name))).toEqual([]);
    for (const [name, all] of schemas) expect([...all], name).toHaveLength(1);
  });

  it.each(queries)("answers a query of the page: %s", async (about, sql) => {
    expect((await rowsOf(sql)).length, about).toBeGreaterThan(0);
  });

  it("joins settings and results of the runs of a sweep", async () => {
    const rows = await rowsOf(query("Learning curves"));
    expect(rows.map(({ lambda, learned, runs }) => [lambda, learned, runs])).toEqual(
      ["0", "0.5"].flatMap((lambda) =>
        [0, 100, 200, 300, 400].map((learned) => [lambda, String(learned), "2"]),
      ),
    );
    const [gain] = await rowsOf(query("The gain"));
    const last = (lambda: string) => Number(rows.findLast((row) => row["lambda"] === lambda)!["score"]);
    expect(Number(gain!["gain"])).toBeCloseTo(last("0.5") - last("0"), 9);
    expect(gain!["seeds"]).toBe("2");
    const runs = await rowsOf(query("Runs that ended"));
    expect(runs).toHaveLength(5);
    expect(new Set(runs.map((row) => row["graph.learn.lambda"]))).toEqual(new Set(["0", "0.5", "0.8"]));
    expect(new Set(runs.map(({ experiment, run }) => JSON.stringify([experiment, run]))).size).toBe(5);
  });

  it("has every recorded game, a row for each seat, with its facts", async () => {
    const games = await rowsOf(
      "SELECT experiment, stage, seat, count(*) AS games FROM 'runs/**/data/games.parquet' GROUP BY ALL ORDER BY ALL",
    );
    const counted = games.map(({ experiment, games: count, seat, stage }) => [
      experiment,
      stage,
      seat,
      count,
    ]);
    expect(counted).toContainEqual(["tiny-tables", "curve", "1", "200"]);
    expect(counted).toContainEqual(["tiny-linear", "match", "1", "20"]);
    expect(counted).toContainEqual(["tiny-linear", "match", "2", "20"]);
    const [compared] = await rowsOf(
      `SELECT count(*) AS matches, max(abs(m.mean - g.mean)) AS difference
       FROM 'runs/**/data/match-results.parquet' m JOIN (
         SELECT experiment, run, stage, agent, avg("return") AS mean FROM 'runs/**/data/games.parquet' GROUP BY ALL) g
       USING (experiment, run, stage, agent)
       WHERE m.stage = 'match'`,
    );
    expect(compared!["matches"]).toBe("2");
    expect(compared!["difference"]).toBeCloseTo(0, 12);
    const [tiles] = await rowsOf(
      "SELECT count(*) AS games FROM 'runs/**/data/game-facts.parquet' WHERE fact = 'maxTile' AND stage = 'curve'",
    );
    expect(tiles!["games"]).toBe("200");
  });
});
