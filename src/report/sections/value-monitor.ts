import type { Table } from "../../formats/table.ts";
import { lineChart } from "../charts/line-chart.ts";
import { type EventOf, eventsOf, grouped, type RunData } from "../run-data.ts";
import { figureMarkup, type Section, slug } from "../section.ts";
import { thinned } from "../thinning.ts";

/** Whether values have kept to the scores really earned: V(start) over the mean score. */
export function valueMonitor(run: RunData): Section | undefined {
  const stages = grouped(eventsOf(run, "value-drift"), ({ stage }) => stage);
  if (stages.length === 0) return undefined;
  const table = driftTable(stages.flatMap(([, events]) => events));
  return {
    id: "value-monitor",
    heading: "Values against scores",
    body: stages.map(([stage, events]) => ratioFigure(stage, events, table)),
    tables: [table],
  };
}

type Drift = EventOf<"value-drift">;

function ratioFigure(stage: string, events: readonly Drift[], table: Table) {
  const points = thinned(events.map(({ learned, ratio }) => ({ x: learned, y: ratio, weight: 1 })));
  const title = `V(start) / score: ${stage}`;
  return figureMarkup({
    id: `values-${slug(stage)}`,
    title,
    caption:
      "The value given to the start of a game, divided by the mean score of recent games: 1 where values are right, growing without end where they run away.",
    table,
    draw: (width, id) =>
      lineChart(
        {
          id,
          title,
          description:
            "Ratio of the start position's value to the mean score against what was learned, on a logarithmic axis.",
          xLabel: "Learned",
          yLabel: "V(start) / mean score, logarithmic",
          yScale: "log",
          series: [{ label: "V(start) / score", style: 0, points }],
          reference: { y: 1, label: "values equal scores" },
          height: 200,
        },
        width,
      ),
  });
}

function driftTable(events: readonly Drift[]): Table {
  return {
    name: "value-monitor",
    title: "The value of the start position beside the mean score of recent games",
    columns: [
      { name: "stage", type: "text" },
      { name: "learned", type: "integer" },
      { name: "V(start)", type: "number" },
      { name: "mean score", type: "number" },
      { name: "ratio", type: "number" },
    ],
    rows: events.map((e) => [e.stage, e.learned, e.startValue, e.meanReturn, e.ratio]),
  };
}
