import { type Markup, markup } from "../markup.ts";
import { percent } from "../number-text.ts";
import {
  type ChartText,
  NARROW,
  type Plot,
  svg,
  textWidth,
  tickRoom,
  xLabel,
  yAxis,
  yLabel,
} from "./frame.ts";
import { legend } from "./legend.ts";
import { linearScale } from "./scale.ts";
import { round, seriesStyle } from "./series-style.ts";

/** Shares by category, a column for each series. */
export interface ColumnChart extends ChartText {
  readonly xLabel: string;
  readonly yLabel: string;
  readonly categories: readonly string[];
  readonly series: readonly ColumnSeries[];
}

/** One share for each category, with its interval. */
export interface ColumnSeries {
  readonly label: string;
  readonly style: number;
  readonly shares: readonly { readonly value: number; readonly interval: readonly [number, number] }[];
}

/** Draws columns side by side, with whiskers for the intervals; on narrow drawings the categories lie across. */
export function columnChart(chart: ColumnChart, width: number): Markup {
  const narrow = width <= NARROW;
  const entries = chart.series.map(({ label, style }) => ({ label, style, filled: true }));
  const key = legend(chart.series.length > 1 ? entries : [], width, 24);
  return narrow ? lying(chart, width, key) : standing(chart, width, key);
}

type Key = ReturnType<typeof legend>;

function standing(chart: ColumnChart, width: number, key: Key): Markup {
  const top = 34 + key.height;
  const bottom = top + 240;
  const y = linearScale([0, 1], {
    range: [bottom, top],
    ticks: 5,
    tickText: (share) => `${Math.round(100 * share)}%`,
  });
  const plot: Plot = { left: round(tickRoom(y) + 10), right: width - 10, top, bottom };
  const slot = (plot.right - plot.left) / chart.categories.length;
  const column = Math.min(40, (slot * 0.76) / chart.series.length);
  const columns = chart.series.map(({ label, style, shares }, s) =>
    shares.map(({ value, interval }, i) => {
      const x = plot.left + slot * (i + 0.5) + column * (s - chart.series.length / 2);
      const centre = round(x + column / 2);
      return [
        markup`<rect class="bar" style="--c:${seriesStyle(style).colour}" x="${round(x + 0.5)}" y="${round(y(value))}" width="${round(Math.max(1, column - 1))}" height="${round(bottom - y(value))}"><title>${label}, ${chart.categories[i]}: ${percent(value)}</title></rect>`,
        markup`<path class="interval" d="M${centre} ${round(y(interval[0]))}V${round(y(interval[1]))}"/>`,
      ];
    }),
  );
  // If the texts of the categories would touch, only every second, third ... is written.
  const widest = Math.max(...chart.categories.map((category) => textWidth(category)));
  const every = Math.ceil((widest + 8) / slot);
  const names = chart.categories.map((category, i) =>
    i % every > 0
      ? undefined
      : markup`<text class="tick" x="${round(plot.left + slot * (i + 0.5))}" y="${bottom + 19}" text-anchor="middle">${category}</text>`,
  );
  const base = markup`<path class="axis" d="M${plot.left} ${bottom}H${plot.right}"/>`;
  const content = [
    yLabel(chart.yLabel),
    key.content,
    yAxis(plot, y),
    columns,
    base,
    names,
    xLabel(plot, chart.xLabel),
  ];
  return svg(chart, width, bottom + 48, content);
}

function lying(chart: ColumnChart, width: number, key: Key): Markup {
  const bar = 12;
  const slot = bar * chart.series.length + 12;
  const top = 44 + key.height;
  const bottom = top + slot * chart.categories.length;
  const left = round(Math.max(...chart.categories.map((category) => textWidth(category))) + 10);
  const x = linearScale([0, 1], {
    range: [left, width - 18],
    ticks: 2,
    tickText: (share) => `${100 * share}%`,
  });
  const grid = x.ticks.map(
    (tick) =>
      markup`<path class="grid" d="M${round(x(tick))} ${top - 4}V${bottom}"/><text class="tick" x="${round(x(tick))}" y="${bottom + 17}" text-anchor="middle">${x.tickText(tick)}</text>`,
  );
  const rows = chart.categories.map((category, i) => {
    const y = top + slot * i;
    const bars = chart.series.map(({ label, style, shares }, s) => {
      const { value, interval } = shares[i]!;
      const middle = y + bar * (s + 0.5);
      return [
        markup`<rect class="bar" style="--c:${seriesStyle(style).colour}" x="${left}" y="${y + bar * s}" width="${round(x(value) - left)}" height="${bar - 1}"><title>${label}, ${category}: ${percent(value)}</title></rect>`,
        markup`<path class="interval" d="M${round(x(interval[0]))} ${middle}H${round(x(interval[1]))}"/>`,
      ];
    });
    return markup`<text class="tick" x="${left - 8}" y="${y + (bar * chart.series.length) / 2}" dy=".32em" text-anchor="end">${category}</text>${bars}`;
  });
  const base = markup`<path class="axis" d="M${left} ${top - 4}V${bottom}"/>`;
  const title = yLabel(`${chart.yLabel}, by ${chart.xLabel}`);
  return svg(chart, width, bottom + 26, [title, key.content, grid, rows, base]);
}
