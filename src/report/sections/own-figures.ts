import type { Table } from "../../formats/table.ts";
import { isTrainingFigure } from "../../events/training-figures.ts";
import { learnedLabel } from "../matches.ts";
import { markup } from "../../figures/markup.ts";
import { readable } from "../../figures/number-text.ts";
import { type EventOf, eventsOf, grouped, type RunData } from "../run-data.ts";
import { figureMarkup, type Section, slug } from "../section.ts";
import { thinned } from "../../figures/thinning.ts";

type Figure = EventOf<"figure">;

/** The figures that stages of plug-ins emit, and the errors of nets in int8: their last values, and a line for each figure that is told repeatedly. */
export function ownFiguresSection(run: RunData): Section | undefined {
  const events = eventsOf(run, "figure").filter((event) => !isTrainingFigure(event));
  if (events.length === 0) return undefined;
  const table = figuresTable("figures-of-stages", "Figures told by stages", events);
  const series = grouped(events, ({ stage, name }) => JSON.stringify([stage, name]));
  return {
    id: "figures-of-stages",
    heading: "Figures of stages",
    body: series.map(([, told]) => [
      markup`<p>${told[0]!.stage}: ${told[0]!.name}: ${readable(told.at(-1)!.value)}${told.length > 1 ? " at the end." : "."}</p>`,
      figureCurve(told, table, `What the stage ${told[0]!.stage} has told as "${told[0]!.name}".`),
    ]),
    tables: [table],
  };
}

/** The table of events `figure`. */
export function figuresTable(name: string, title: string, events: readonly Figure[]): Table {
  return {
    name,
    title,
    columns: [
      { name: "stage", type: "text" },
      { name: "figure", type: "text" },
      { name: "learned", type: "integer" },
      { name: "unit", type: "text" },
      { name: "value", type: "number" },
    ],
    rows: events.map((event) => [event.stage, event.name, event.learned, event.unit, event.value]),
  };
}

/** The line of a figure that was told repeatedly. */
export function figureCurve(told: readonly Figure[], table: Table, caption: string, height?: number) {
  if (told.length < 2) return "";
  const { name, stage, unit } = told[0]!;
  const title = `${name}: ${stage}`;
  const points = thinned(told.map(({ learned, value }) => ({ x: learned, y: value, weight: 1 })));
  return figureMarkup({
    id: `figure-${slug(stage)}-${slug(name)}`,
    title,
    caption: `${caption}${points.length < told.length ? " A point is the mean since the one before." : ""}`,
    table,
    chart: {
      kind: "lines",
      description: `One line: ${name}, as the stage ${stage} told it.`,
      xLabel: learnedLabel(unit),
      yLabel: name,
      series: [{ label: name, style: 0, points }],
      ...(height === undefined ? {} : { height }),
    },
  });
}
