import { column, type Table, tabulated } from "../../formats/table.ts";
import type { LineChart } from "../../figures/charts/line-chart.ts";
import { type EventOf, eventsOf, grouped, type RunData } from "../run-data.ts";
import { figureMarkup, type Section } from "../section.ts";
import { readable } from "../../figures/number-text.ts";
import { thinned } from "../../figures/thinning.ts";

/**
 * Values against actual scores: V(start) over the mean score and, if several stages learn side by side, their mean scores.
 * If the game knows the value of perfect play, also V(start) over that value.
 */
export function valueMonitorSection(run: RunData): Section | undefined {
  const stages = grouped(eventsOf(run, "value-drift"), ({ stage }) => stage);
  if (stages.length === 0) return undefined;
  const { optimum } = stages[0]![1][0]!;
  const table = driftTable(
    stages.flatMap(([, events]) => events),
    optimum,
  );
  // Learners with equal time learn from different numbers of games: then each one's axis is the share of its own games.
  const ends = stages.map(([, events]) => events.at(-1)!.learned);
  const together = ends.every((end) => end === ends[0]);
  const xLabel = together ? "Learned" : "Learned, % of what each learned in all";
  const lines = (of: (event: Drift) => number) =>
    stages.map(([stage, events], style) => ({
      label: stage,
      style,
      points: thinned(
        events.map((event) => ({
          x: together ? event.learned : (100 * event.learned) / ends[style]!,
          y: of(event),
          weight: 1,
        })),
      ),
    }));
  const figure = (id: string, caption: string, { title, ...rest }: Omit<LineChart, "id" | "xLabel">) =>
    figureMarkup({
      id,
      title,
      caption,
      table,
      chart: { kind: "lines", ...rest, xLabel },
    });
  /** V(start) over a reference, on a logarithmic axis: 1 is right. */
  const ratioFigure = (
    id: string,
    caption: string,
    texts: Pick<LineChart, "title" | "description" | "yLabel">,
    ratio: (event: Drift) => number,
    right: string,
  ) =>
    figure(id, caption, {
      ...texts,
      yScale: "log",
      // Nothing below 0 has a place on the axis: the line is broken there.
      series: lines((event) => (ratio(event) > 0 ? ratio(event) : NaN)),
      reference: { y: 1, label: right },
      ...(stages.length === 1 ? { height: 200 } : {}),
    });
  const body = [
    ratioFigure(
      "values-over-scores",
      "The value given to the start of a game, divided by the mean score of recent games: 1 if values are right; it grows without bound if they diverge.",
      {
        title: "V(start) / score",
        description:
          "Ratio of the start position's value to the mean score against what was learned, on a logarithmic axis.",
        yLabel: "V(start) / mean score, logarithmic",
      },
      ({ ratio }) => ratio,
      "values equal scores",
    ),
  ];
  if (stages.length > 1)
    body.push(
      figure(
        "scores-beside-values",
        "Mean score of each learner while it learned, over the games of the ratio above.",
        {
          title: "Mean score of recent games",
          description: "Mean scores of recent games against what was learned, one line for each learner.",
          yLabel: "Mean score",
          series: lines(({ meanReturn }) => meanReturn),
          ...(optimum === undefined ? {} : { reference: { y: optimum, label: "perfect play" } }),
        },
      ),
    );
  if (optimum !== undefined)
    body.push(
      ratioFigure(
        "values-over-optimum",
        `The value given to the start of a game, divided by ${readable(optimum)}, the mean score of perfect play: no ratio above 1 can be right.`,
        {
          title: "V(start) / optimum",
          description:
            "Ratio of the start position's value to that of perfect play against what was learned, on a logarithmic axis.",
          yLabel: "V(start) / optimum, logarithmic",
        },
        ({ startValue }) => startValue / optimum,
        "values of perfect play",
      ),
    );
  return { id: "value-monitor", heading: "Values against scores", body, tables: [table] };
}

type Drift = EventOf<"value-drift">;

function driftTable(events: readonly Drift[], optimum: number | undefined): Table {
  return {
    name: "value-monitor",
    title: "The value of the start position beside the mean score of recent games",
    ...tabulated(events, [
      column.text("stage", ({ stage }) => stage),
      column.integer("learned", ({ learned }) => learned),
      column.number("V(start)", ({ startValue }) => startValue),
      column.number("mean score", ({ meanReturn }) => meanReturn),
      column.number("ratio", ({ ratio }) => ratio),
      optimum === undefined ? [] : column.number("optimum", () => optimum),
    ]),
  };
}
