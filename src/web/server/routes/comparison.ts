import { compareRuns, openComparedRun } from "../../../runs/comparison/comparison.ts";
import { finiteOrNull } from "../../../formats/finite-or-null.ts";
import { comparisonFigures } from "../../../runs/comparison/comparison-report.ts";
import { differenceSentences } from "../../../runs/comparison/difference-sentences.ts";
import type { ComparisonView } from "../../views/comparison-view.ts";
import { RequestRefused, sendJson } from "../responses.ts";
import type { Route } from "../route.ts";
import { runFolderAt, runPath } from "../run-paths.ts";

/** The most runs that are compared at a time. */
const MOST_RUNS = 200;

/** Runs side by side: `?run=NAME/ID&run=...`, the first one is the baseline. */
export const comparisonRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/compare",
    answer: ({ query, response, site }) => {
      const paths = [...new Set((query.get("runs") ?? "").split(",").filter((path) => path !== ""))];
      if (paths.length < 2) throw new RequestRefused(400, "Choose at least two runs to compare.");
      if (paths.length > MOST_RUNS)
        throw new RequestRefused(400, `At most ${MOST_RUNS} runs can be compared at a time.`);
      const opened = paths.map((path) => openComparedRun(runFolderAt(site.folder, path.split("/"))));
      const comparison = compareRuns(opened);
      const view: ComparisonView = {
        sentences: differenceSentences(comparison),
        runs: comparison.runs.map(({ experiment, folder, group, seed, state }) => ({
          path: runPath(site.folder, folder),
          name: experiment,
          group,
          seed,
          state,
        })),
        groups: comparison.groups.map(({ name }) => name),
        settings: comparison.settings.map(({ path, values }) => ({
          path,
          values: values.map((value) => (value === undefined ? "–" : JSON.stringify(value))),
        })),
        settingsInAll: new Set(opened.flatMap(({ settings }) => [...settings.keys()])).size,
        results: comparison.measurements.map(({ agent, differences, measure, results, stage, unit }) => ({
          title: `${stage}: ${agent}`,
          measure,
          unit,
          results: results.map(({ games, group, interval, learned, over, runs, value }) => ({
            group,
            learned,
            runs,
            games,
            over,
            value,
            interval: [finiteOrNull(interval[0]), finiteOrNull(interval[1])],
          })),
          differences: differences.map(({ baseline, group, interval, method, value }) => ({
            group,
            baseline,
            method,
            value,
            interval: [finiteOrNull(interval[0]), finiteOrNull(interval[1])],
          })),
        })),
        figures: comparisonFigures(comparison).map(({ figure, section }) => ({
          section,
          rows: figure.table.rows.length,
          figure: { ...figure, table: { ...figure.table, rows: figure.table.rows.slice(-100) } },
        })),
        command: [
          "ludoflow compare",
          ...comparison.runs.map(({ folder }) => runPath(process.cwd(), folder)),
        ].join(" "),
      };
      sendJson(response, view);
    },
  },
];
