import { type Markup, markup } from "../markup.ts";
import { duration, percent } from "../number-text.ts";
import { type ChartText, fitted, NARROW, type Plot, svg, textWidth, xAxis } from "./frame.ts";
import { legend } from "./legend.ts";
import { linearScale } from "./scale.ts";
import { round, seriesStyle } from "./series-style.ts";
import { timeUnit } from "./time-line.ts";

/** What shares of the time things took, one lane for each worker. */
export interface ShareLanes extends ChartText {
  /** Seconds at the left end; default 0. */
  readonly start?: number;
  /** Seconds at the right end. */
  readonly end: number;
  /** Height of a lane in pixels; default 34. */
  readonly height?: number;
  /** What the time was spent on, from the bottom of a lane to its top. */
  readonly parts: readonly { readonly label: string; readonly style: number }[];
  readonly lanes: readonly ShareLane[];
  /** Moments in seconds that are marked under the lanes, and what they are. */
  readonly marks?: readonly number[];
  readonly marksLabel?: string;
}

/** A lane: the shares of its parts in each interval. What is missing to 1 is left white. */
export interface ShareLane {
  readonly label: string;
  readonly intervals: readonly ShareInterval[];
}

/** An interval in seconds, and the share of each part in it. */
export interface ShareInterval {
  readonly from: number;
  readonly to: number;
  /** In the order of the chart's parts; their sum is at most 1. */
  readonly shares: readonly number[];
}

/** Draws a lane as a row of stacked columns as high as the lane, each as wide as its interval. */
export function shareLanes(chart: ShareLanes, width: number): Markup {
  const narrow = width <= NARROW;
  const key = legend(
    chart.parts.map(({ label, style }) => ({ label, style, filled: true })),
    width,
    2,
  );
  const height = chart.height ?? 34;
  const row = height + (narrow ? 30 : 14);
  const top = key.height + 10;
  const bottom = top + row * chart.lanes.length;
  const labelRoom = narrow
    ? 2
    : Math.min(210, Math.max(...chart.lanes.map(({ label }) => textWidth(label, 14.5)))) + 14;
  const plot: Plot = { left: labelRoom, right: width - 22, top, bottom };
  const [unit, name] = timeUnit(chart.end);
  const x = linearScale([(chart.start ?? 0) / unit, chart.end / unit], {
    range: [plot.left, plot.right],
    ticks: narrow ? 4 : 8,
  });
  const lanes = chart.lanes.map(({ label, intervals }, i) => {
    const base = top + row * (i + 1) - 6;
    const columns = intervals.map(({ from, to, shares }) => {
      const left = x(from / unit);
      const wide = Math.max(0.5, x(to / unit) - left);
      let reached = 0;
      return shares.map((share, part) => {
        if (!(share > 0)) return undefined;
        const { label: what, style } = chart.parts[part]!;
        const low = reached;
        reached += share;
        return markup`<rect class="bar" style="--c:${seriesStyle(style).colour}" x="${round(left)}" y="${round(base - height * reached)}" width="${round(wide)}" height="${round(height * (reached - low))}"><title>${label}, ${duration(from)} to ${duration(to)}: ${what} ${percent(share)}</title></rect>`;
      });
    });
    const text = narrow
      ? markup`<text class="series" x="${plot.left}" y="${base - height - 7}">${fitted(label, width)}</text>`
      : markup`<text class="series" x="${labelRoom - 12}" y="${base - height / 2}" dy=".32em" text-anchor="end">${fitted(label, labelRoom - 14)}</text>`;
    return [
      markup`<path class="grid" d="M${plot.left} ${base - height}H${plot.right}M${plot.left} ${base}H${plot.right}"/>`,
      columns,
      text,
    ];
  });
  const marks = (chart.marks ?? []).map((at) => {
    const place = round(x(at / unit));
    return markup`<path class="moment" d="M${place} ${bottom - 4}l3.5 6h-7z"><title>${chart.marksLabel}, ${duration(at)}</title></path>`;
  });
  return svg(chart, width, bottom + 48, [
    key.content,
    lanes,
    marks,
    xAxis(plot, x, `Time at work (${name})`),
  ]);
}
