import { column, type Table, tabulated } from "../../formats/table.ts";
import { isTrainingFigure } from "../../events/training-figures.ts";
import { learnedLabel } from "../matches.ts";
import { markup } from "../../figures/markup.ts";
import { readable } from "../../figures/number-text.ts";
import { type EventOf, eventsOf, grouped, type RunData } from "../run-data.ts";
import { figureMarkup, type Section, slug } from "../section.ts";
import { thinned } from "../../figures/thinning.ts";

type Figure = EventOf<"figure">;

/** The figures that stages of plug-ins emit, and the errors of nets in int8: their last values, and a line for each figure that is emitted repeatedly. */
export function ownFiguresSection(run: RunData): Section | undefined {
  const events = eventsOf(run, "figure").filter((event) => !isTrainingFigure(event));
  if (events.length === 0) return undefined;
  const table = figuresTable("figures-of-stages", "Figures emitted by stages", events);
  const series = grouped(events, ({ stage, name }) => JSON.stringify([stage, name]));
  return {
    id: "figures-of-stages",
    heading: "Figures of stages",
    body: series.map(([, figures]) => [
      markup`<p>${figures[0]!.stage}: ${figures[0]!.name}: ${readable(figures.at(-1)!.value)}${figures.length > 1 ? " at the end." : "."}</p>`,
      figureCurve(figures, table, `The figure "${figures[0]!.name}" of the stage ${figures[0]!.stage}.`),
    ]),
    tables: [table],
  };
}

/** The table of events `figure`. */
export function figuresTable(name: string, title: string, events: readonly Figure[]): Table {
  return {
    name,
    title,
    ...tabulated(events, [
      column.text("stage", ({ stage }) => stage),
      column.text("figure", (event) => event.name),
      column.integer("learned", ({ learned }) => learned),
      column.text("unit", ({ unit }) => unit),
      column.number("value", ({ value }) => value),
    ]),
  };
}

/** The line of a figure that was emitted repeatedly. */
export function figureCurve(figures: readonly Figure[], table: Table, caption: string, height?: number) {
  if (figures.length < 2) return "";
  const { name, stage, unit } = figures[0]!;
  const title = `${name}: ${stage}`;
  const points = thinned(figures.map(({ learned, value }) => ({ x: learned, y: value, weight: 1 })));
  return figureMarkup({
    id: `figure-${slug(stage)}-${slug(name)}`,
    title,
    caption: `${caption}${points.length < figures.length ? " A point is the mean since the one before." : ""}`,
    table,
    chart: {
      kind: "lines",
      description: `One line: ${name} of the stage ${stage}.`,
      xLabel: learnedLabel(unit),
      yLabel: name,
      series: [{ label: name, style: 0, points }],
      ...(height === undefined ? {} : { height }),
    },
  });
}
