import { type Markup, markup } from "../markup.ts";
import { type ChartText, fitted, NARROW, type Plot, svg, tickRoom, yAxis, yLabel } from "./frame.ts";
import { legend } from "./legend.ts";
import type { LineSeries } from "./line-chart.ts";
import { linearScale, logScale } from "./scale.ts";
import { at, round, seriesStyle } from "./series-style.ts";

/** One small chart among others. */
export interface Panel {
  readonly title: string;
  /** One line for each entry of the chart's `series`, in their order. */
  readonly lines: readonly LineSeries["points"][];
}

/** Many small line charts with common axes, the horizontal one logarithmic. */
export interface SmallMultiples extends ChartText {
  readonly xLabel: string;
  readonly yLabel: string;
  /** What the lines of every panel are, in style 0, 1, ... */
  readonly series: readonly string[];
  /** At least one, with a point somewhere; horizontal places are positive. */
  readonly panels: readonly Panel[];
}

/** Draws the panels in rows: four beside each other on wide drawings, two on narrow ones. */
export function smallMultiples(chart: SmallMultiples, width: number): Markup {
  const columns = width <= NARROW ? 2 : 4;
  const key = legend(
    chart.series.map((label, style) => ({ label, style })),
    width,
    24,
  );
  const points = chart.panels.flatMap(({ lines }) => lines.flat()).filter(({ y }) => Number.isFinite(y));
  const ends = (values: readonly number[]): [number, number] => [
    values.reduce((least, value) => Math.min(least, value), Infinity),
    values.reduce((most, value) => Math.max(most, value), -Infinity),
  ];
  const [low, high] = ends(points.map(({ y }) => y));
  const xEnds = ends(points.map(({ x }) => x));
  const height = 92;
  const pitch = height + 46;
  const yOptions = { ticks: 3, nice: true };
  const domain: [number, number] = [Math.min(0, low), Math.max(0, high)];
  const room = round(tickRoom(linearScale(domain, { ...yOptions, range: [height, 0] })) + 10);
  const step = (width - room) / columns;
  const top = 30 + key.height + 26;
  const rows = Math.ceil(chart.panels.length / columns);
  const content = chart.panels.map(({ title, lines }, i) => {
    const column = i % columns;
    const row = Math.floor(i / columns);
    const plot: Plot = {
      left: round(room + column * step),
      right: round(room + (column + 1) * step - 14),
      top: top + row * pitch,
      bottom: top + row * pitch + height,
    };
    const y = linearScale(domain, { ...yOptions, range: [plot.bottom, plot.top] });
    const x = logScale(xEnds, { range: [plot.left, plot.right], ticks: 4 });
    const grid =
      column === 0
        ? yAxis(plot, y)
        : y.ticks.map(
            (tick) => markup`<path class="grid" d="M${plot.left} ${round(y(tick))}H${plot.right}"/>`,
          );
    const last = i + columns >= chart.panels.length;
    const decades = x.ticks.filter((tick) => Number.isInteger(Math.log10(tick)));
    const ticks = decades.map((tick) => {
      const place = round(x(tick));
      const text =
        last &&
        markup`<text class="tick" x="${place}" y="${plot.bottom + 18}" text-anchor="middle">${x.tickText(tick)}</text>`;
      return markup`<path class="axis" d="M${place} ${plot.bottom}v4"/>${text}`;
    });
    return [
      markup`<text x="${plot.left}" y="${plot.top - 8}">${fitted(title, plot.right - plot.left)}</text>`,
      grid,
      markup`<path class="axis" d="M${plot.left} ${plot.bottom}H${plot.right}"/>`,
      ticks,
      lines.map((line, style) => {
        const { colour, dash } = seriesStyle(style);
        const path = line.map((point) => at(x(point.x), y(point.y))).join("L");
        return (
          path !== "" &&
          markup`<path class="line" style="--c:${colour}" stroke-dasharray="${dash}" d="M${path}"/>`
        );
      }),
    ];
  });
  const bottom = top + rows * pitch;
  return svg(chart, width, bottom + 6, [
    yLabel(chart.yLabel),
    key.content,
    content,
    markup`<text class="label" x="${width / 2}" y="${bottom}" text-anchor="middle">${chart.xLabel}</text>`,
  ]);
}
