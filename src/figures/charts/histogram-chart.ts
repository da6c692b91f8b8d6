import type { Histogram } from "../../stats/histogram.ts";
import { type Markup, markup } from "../markup.ts";
import { readable } from "../number-text.ts";
import { type ChartText, fitted, NARROW, type Plot, svg, tickRoom, xAxis, yAxis, yLabel } from "./frame.ts";
import { linearScale } from "./scale.ts";
import { round, seriesStyle } from "./series-style.ts";

/** The distribution of one series, with two landmarks. */
export interface HistogramRow {
  readonly label: string;
  readonly style: number;
  readonly histogram: Histogram;
  readonly mean: number;
  readonly median: number;
}

/** Histograms with bins of one width, one under the other over a common horizontal axis. */
export interface HistogramChart extends ChartText {
  readonly xLabel: string;
  readonly rows: readonly HistogramRow[];
}

/** Draws a row of bars for each series, heights as shares of its games per bin; the mean unbroken, the median dotted. */
export function histogramChart(chart: HistogramChart, width: number): Markup {
  const narrow = width <= NARROW;
  const rowHeight = chart.rows.length === 1 ? 190 : 96;
  const gap = 34;
  const tops = chart.rows.map((_, i) => 48 + i * (rowHeight + gap));
  const ends = chart.rows.flatMap(({ histogram: { start, width: step, counts } }) => [
    start,
    start + step * counts.length,
  ]);
  const total = ({ counts }: Histogram) => counts.reduce((sum, n) => sum + n, 0);
  const most = Math.max(
    ...chart.rows.map(({ histogram }) => Math.max(...histogram.counts) / total(histogram)),
  );
  const percent = (share: number) => `${Number((100 * share).toPrecision(3))}%`;
  const scaleOf = (top: number) =>
    linearScale([0, most], { range: [top + rowHeight, top], ticks: 3, nice: true, tickText: percent });
  const left = round(tickRoom(scaleOf(0)) + 10);
  const right = width - 10;
  const x = linearScale([Math.min(...ends), Math.max(...ends)], {
    range: [left, right],
    ticks: narrow ? 4 : 8,
  });

  const rows = chart.rows.map(({ label, style, histogram, mean, median }, row) => {
    const plot: Plot = { left, right, top: tops[row]!, bottom: tops[row]! + rowHeight };
    const y = scaleOf(plot.top);
    const { colour } = seriesStyle(style);
    const { start, width: step, counts } = histogram;
    const bars = counts.map((count, i) => {
      const from = x(start + i * step);
      const to = x(start + (i + 1) * step);
      const height = plot.bottom - y(count / total(histogram));
      const tooltip = `${readable(start + i * step)} to ${readable(start + (i + 1) * step)}: ${count} games`;
      return markup`<rect class="bar" style="--c:${colour}" x="${round(from + 0.5)}" y="${round(plot.bottom - height)}" width="${round(Math.max(0.8, to - from - 1))}" height="${round(height)}"><title>${tooltip}</title></rect>`;
    });
    const landmark = (value: number, kind: string) =>
      markup`<path class="landmark ${kind}" d="M${round(x(value))} ${plot.bottom}V${plot.top - 4}"/>`;
    return [
      yAxis(plot, y),
      bars,
      landmark(mean, "mean"),
      landmark(median, "median"),
      markup`<text class="series" style="--c:${colour}" x="${left}" y="${plot.top - 10}">${fitted(label, right - left)}</text>`,
      row < chart.rows.length - 1
        ? markup`<path class="axis" d="M${left} ${plot.bottom}H${right}"/>`
        : xAxis(plot, x, chart.xLabel),
    ];
  });
  return svg(chart, width, tops.at(-1)! + rowHeight + 48, [
    yLabel(`Share of games per bin of ${readable(chart.rows[0]!.histogram.width)}`),
    rows,
  ]);
}
