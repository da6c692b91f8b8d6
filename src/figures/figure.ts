import type { Table } from "../formats/table.ts";
import { type ColumnChart, columnChart } from "./charts/column-chart.ts";
import { type CrossTable, crossTable } from "./charts/cross-table.ts";
import type { ChartText } from "./charts/frame.ts";
import { type HistogramChart, histogramChart } from "./charts/histogram-chart.ts";
import { type IntervalChart, intervalChart } from "./charts/interval-chart.ts";
import { type LineChart, lineChart } from "./charts/line-chart.ts";
import { type ShareLanes, shareLanes } from "./charts/share-lanes.ts";
import { type SmallMultiples, smallMultiples } from "./charts/small-multiples.ts";
import { type TimeLine, timeLine } from "./charts/time-line.ts";
import type { Markup } from "./markup.ts";

/**
 * A figure as plain data: what it shows, its words and its table. It holds no functions and no drawing, so it can be sent
 * as JSON ({@link figureText}) and drawn elsewhere by the same code ({@link drawFigure}), in a file or in a browser.
 */
export interface Figure {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  readonly caption: string;
  /** The numbers that it shows. */
  readonly table: Table;
  readonly chart: Chart;
}

/** What a figure draws, by kind. */
export type Chart =
  | ({ readonly kind: "lines" } & Drawn<LineChart>)
  | ({ readonly kind: "intervals" } & Drawn<IntervalChart>)
  | ({ readonly kind: "columns" } & Drawn<ColumnChart>)
  | ({ readonly kind: "histograms" } & Drawn<HistogramChart>)
  | ({ readonly kind: "cross-table" } & Drawn<CrossTable>)
  | ({ readonly kind: "share-lanes" } & Drawn<ShareLanes>)
  | ({ readonly kind: "small-multiples" } & Drawn<SmallMultiples>)
  | ({ readonly kind: "time-line" } & Drawn<TimeLine>);

/** A chart without what it takes from its figure. */
type Drawn<C extends ChartText> = Omit<C, "id" | "title">;

/** The chart of a figure as an SVG element of a width in pixels; `id` is that of the element, unique on the page. */
export function drawFigure(
  { chart, title }: Pick<Figure, "chart" | "title">,
  width: number,
  id: string,
): Markup {
  const text = { id, title };
  switch (chart.kind) {
    case "lines":
      return lineChart({ ...chart, ...text }, width);
    case "intervals":
      return intervalChart({ ...chart, ...text }, width);
    case "columns":
      return columnChart({ ...chart, ...text }, width);
    case "histograms":
      return histogramChart({ ...chart, ...text }, width);
    case "cross-table":
      return crossTable({ ...chart, ...text }, width);
    case "share-lanes":
      return shareLanes({ ...chart, ...text }, width);
    case "small-multiples":
      return smallMultiples({ ...chart, ...text }, width);
    default:
      return timeLine({ ...chart, ...text }, width);
  }
}

/** A figure as JSON. Numbers that are not finite become null: charts leave out unknown values of any kind. */
export function figureText(figure: Figure): string {
  return JSON.stringify(figure);
}

/** Reads what `figureText` wrote. */
export function figureOf(text: string): Figure {
  const figure = JSON.parse(text) as Figure;
  return { ...figure, chart: JSON.parse(JSON.stringify(figure.chart), nullIsUnknown) as Chart };
}

function nullIsUnknown(_key: string, value: unknown): unknown {
  return value === null ? NaN : value;
}
