import type { Estimate } from "../../stats/intervals.ts";
import { type Markup, markup } from "../markup.ts";
import {
  decimalsFor,
  estimateText,
  fixed,
  percent,
  percentEstimateText,
  percentTick,
} from "../number-text.ts";
import { type ChartText, fitted, NARROW, type Plot, svg, textWidth, xAxis } from "./frame.ts";
import { linearScale } from "./scale.ts";
import { round, seriesStyle } from "./series-style.ts";

/** Estimates with their intervals, one a row. */
export interface IntervalChart extends ChartText {
  readonly xLabel: string;
  readonly rows: readonly { readonly label: string; readonly style: number; readonly estimate: Estimate }[];
  /** A level to compare with: 0 for gains. */
  readonly reference?: number;
  /** The estimates are shares, to be written as per cent. */
  readonly share?: true;
}

/** Draws a mark for each estimate and a bar over its interval, the value written beside it. */
export function intervalChart(chart: IntervalChart, width: number): Markup {
  const narrow = width <= NARROW;
  const row = narrow ? 46 : 34;
  const top = 10;
  const bottom = top + row * chart.rows.length;
  const labelRoom = narrow
    ? 0
    : Math.min(280, Math.max(...chart.rows.map(({ label }) => textWidth(label, 14.5)))) + 14;
  const values = chart.rows.map(({ estimate }) =>
    chart.share === true ? percent(estimate.value) : fixed(estimate.value, decimalsFor(estimate)),
  );
  const said = chart.share === true ? percentEstimateText : estimateText;
  const valueRoom = Math.max(...values.map((value) => textWidth(value, 13.5))) + 12;
  const plot: Plot = { left: labelRoom, right: width - valueRoom, top, bottom };
  const ends = chart.rows
    .flatMap(({ estimate: { value, interval } }) => [value, ...interval])
    .concat(chart.reference ?? [])
    .filter(Number.isFinite);
  const x = linearScale([Math.min(...ends), Math.max(...ends)], {
    range: [plot.left + 12, plot.right - 12],
    ticks: narrow ? 3 : 6,
    nice: true,
    ...(chart.share === true ? { tickText: percentTick } : {}),
  });
  const grid = x.ticks.map((tick) => markup`<path class="grid" d="M${round(x(tick))} ${top}V${bottom}"/>`);
  const rows = chart.rows.map(({ label, style, estimate }, i) => {
    const { colour, mark } = seriesStyle(style);
    const middle = top + row * (i + (narrow ? 0.72 : 0.5));
    const [low, high] = estimate.interval;
    const bar = Number.isFinite(high - low)
      ? markup`<path class="whisker" style="--c:${colour}" d="M${round(x(low))} ${middle}H${round(x(high))}M${round(x(low))} ${middle - 5}v10M${round(x(high))} ${middle - 5}v10"/>`
      : undefined;
    const name = narrow
      ? markup`<text class="series" x="2" y="${top + row * (i + 0.34)}">${fitted(label, width)}</text>`
      : markup`<text class="series" x="${labelRoom - 12}" y="${middle}" dy=".32em" text-anchor="end">${fitted(label, labelRoom - 14)}</text>`;
    const value = markup`<text class="series strong" x="${width}" y="${middle}" dy=".32em" text-anchor="end">${values[i]}</text>`;
    return [name, bar, mark(x(estimate.value), middle, `${label}: ${said(estimate)}`), value];
  });
  const reference =
    chart.reference === undefined
      ? undefined
      : markup`<path class="reference" d="M${round(x(chart.reference))} ${top}V${bottom}"/>`;
  return svg(chart, width, bottom + 48, [grid, xAxis(plot, x, chart.xLabel), reference, rows]);
}
