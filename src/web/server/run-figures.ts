import { reportFigures } from "../../report/report.ts";
import { eventsWithin, type Stretch } from "../../report/stretch.ts";
import type { FigureShown } from "../views/run-views.ts";
import type { FollowedRun } from "./followed-run.ts";

/** The most rows of a figure's table that a page gets. */
const MOST_ROWS = 100;

/** The figures of the report of a run, with short tables; of a stretch, as finely as of the whole run. */
export function figuresOfRun(run: FollowedRun, stretch?: Stretch): FigureShown[] {
  if (run.damage !== undefined) return [];
  const { data } = run;
  const within = stretch === undefined ? data : { ...data, events: eventsWithin(data.events, stretch) };
  return reportFigures(within).map(({ figure, section }) => ({
    section,
    rows: figure.table.rows.length,
    figure: { ...figure, table: { ...figure.table, rows: figure.table.rows.slice(-MOST_ROWS) } },
  }));
}
