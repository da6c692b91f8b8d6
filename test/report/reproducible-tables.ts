import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeCsv } from "../../src/formats/csv.ts";
import { writeReport } from "../../src/report/report.ts";

/** Tables of flows: the times of work and waiting, and how full batches and buffers were. */
const FLOWED = new Set(["flows", "flow-totals", "batch-sizes", "machine", "buffers"]);
/** Columns of time, and of what a cache answered. */
const OF_TIME = /second|^ms a move$|^of its search$|^of evaluators$|^from cache$/;
/** Columns that name the run's folder and its number of threads. */
const OF_FOLDER = new Set(["run", "workers"]);

/**
 * By name: the rows of the tables of a run's report, as `data/` has them, header first. Left out is what may differ between
 * runs of one experiment and seed: what flowed, columns of time, the folder and the number of threads.
 */
export function reproducibleTables(folder: string): Record<string, string[][]> {
  writeReport(folder);
  const tables = readdirSync(join(folder, "data"))
    .filter((name) => name.endsWith(".csv") && !FLOWED.has(name.slice(0, -4)))
    .map((name): [string, string[][]] => {
      const rows = decodeCsv(readFileSync(join(folder, "data", name), "utf8")).map(({ fields }) => fields);
      const kept = rows[0]!.flatMap((column, i) =>
        OF_TIME.test(column) || OF_FOLDER.has(column) ? [] : [i],
      );
      const cells = rows.map((row) => kept.map((i) => row[i]!));
      return [
        name.slice(0, -4),
        cells.filter((row) => !(name === "settings.csv" && row.includes("workers"))),
      ];
    });
  return Object.fromEntries(tables);
}
