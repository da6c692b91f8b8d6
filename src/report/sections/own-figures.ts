import type { Table } from "../../formats/table.ts";
import { learnedLabel } from "../matches.ts";
import { markup } from "../../figures/markup.ts";
import { readable } from "../../figures/number-text.ts";
import { type EventOf, eventsOf, grouped, type RunData } from "../run-data.ts";
import { figureMarkup, type Section, slug } from "../section.ts";
import { thinned } from "../../figures/thinning.ts";

type Figure = EventOf<"figure">;

/** The figures that stages of plug-ins tell, and the errors of nets in int8: their last values, and a line for each figure that is told repeatedly. */
export function ownFiguresSection(run: RunData): Section | undefined {
  const events = eventsOf(run, "figure");
  if (events.length === 0) return undefined;
  const table: Table = {
    name: "figures-of-stages",
    title: "Figures told by stages",
    columns: [
      { name: "stage", type: "text" },
      { name: "figure", type: "text" },
      { name: "learned", type: "integer" },
      { name: "unit", type: "text" },
      { name: "value", type: "number" },
    ],
    rows: events.map(({ stage, name, learned, unit, value }) => [stage, name, learned, unit, value]),
  };
  const series = grouped(events, ({ stage, name }) => JSON.stringify([stage, name]));
  return {
    id: "figures-of-stages",
    heading: "Figures of stages",
    body: series.map(([, told]) => [
      markup`<p>${told[0]!.stage}: ${told[0]!.name}: ${readable(told.at(-1)!.value)}${told.length > 1 ? " at the end." : "."}</p>`,
      told.length > 1 ? curve(told, table) : "",
    ]),
    tables: [table],
  };
}

function curve(told: readonly Figure[], table: Table) {
  const { name, stage, unit } = told[0]!;
  const title = `${name}: ${stage}`;
  const points = thinned(told.map(({ learned, value }) => ({ x: learned, y: value, weight: 1 })));
  return figureMarkup({
    id: `figure-${slug(stage)}-${slug(name)}`,
    title,
    caption: `What the stage ${stage} has told as "${name}".${points.length < told.length ? " A point is the mean since the one before." : ""}`,
    table,
    chart: {
      kind: "lines",
      description: `One line: ${name}, as the stage ${stage} told it.`,
      xLabel: learnedLabel(unit),
      yLabel: name,
      series: [{ label: name, style: 0, points }],
    },
  });
}
