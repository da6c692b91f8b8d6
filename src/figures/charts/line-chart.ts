import { type Markup, markup } from "../markup.ts";
import { percent, percentTick, readable } from "../number-text.ts";
import {
  type ChartText,
  fitted,
  NARROW,
  type Plot,
  spreadOut,
  svg,
  textWidth,
  tickRoom,
  xAxis,
  yAxis,
  yLabel,
} from "./frame.ts";
import { legend } from "./legend.ts";
import { linearScale, logScale, type Scale } from "./scale.ts";
import { at, round, seriesStyle } from "./series-style.ts";

/** A point of a line, and the ends of its confidence interval if it has one. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly low?: number;
  readonly high?: number;
  /** The least and the greatest of the values that the point summarizes, and their number; absent for a single value. */
  readonly least?: number;
  readonly most?: number;
  readonly of?: number;
  /** Text of its place on the horizontal axis; by default that of the tick there, or the number. */
  readonly at?: string;
}

/** A line with its band. */
export interface LineSeries {
  readonly label: string;
  /** In increasing order of x. Points that are not finite break the line. */
  readonly points: readonly Point[];
  /** Number of its style; without one it is drawn thin and grey behind the others. */
  readonly style?: number | undefined;
  /** Has no label at its end: it is one of many. */
  readonly unlabelled?: true;
}

/** Lines over a common horizontal axis. */
export interface LineChart extends ChartText {
  readonly xLabel: string;
  readonly yLabel: string;
  readonly series: readonly LineSeries[];
  /** Default linear; logarithmic only if every value is positive. */
  readonly yScale?: "linear" | "log";
  /** A level to compare with. */
  readonly reference?: { readonly y: number; readonly label: string };
  /** Places on the horizontal axis where something changed; those outside the lines' span are left out. */
  readonly landmarks?: readonly Landmark[];
  /** Ticks of the horizontal axis, if round numbers will not do. */
  readonly xTicks?: readonly { readonly x: number; readonly text: string }[];
  /** The ends of the horizontal axis; default: those of the points. No point lies outside. */
  readonly xRange?: readonly [low: number, high: number];
  /** Values that the vertical axis shows at least. */
  readonly yRange?: readonly [low: number, high: number];
  /** Intervals as bars at the points in place of bands: for points that are independent of each other. */
  readonly whiskers?: boolean;
  /** The values are shares, to be written as per cent. */
  readonly yShare?: true;
  /** Height of the plot in pixels; default 300. */
  readonly height?: number;
}

/** A place on the horizontal axis where something changed. */
export interface Landmark {
  readonly x: number;
  readonly label: string;
}

/** With more points than this, marks would run into each other. */
const MOST_MARKS = 40;

/** Draws lines with bands; labels are at the lines' ends on wide drawings, in a legend on narrow ones. */
export function lineChart(chart: LineChart, width: number): Markup {
  const narrow = width <= NARROW;
  const labelled = chart.series.filter(({ unlabelled }) => unlabelled !== true);
  const several = chart.series.length > 1 && labelled.length > 0;
  const direct = !narrow && several;
  const key = legend(narrow && several ? labelled : [], width, 24);
  const labelRoom = direct
    ? Math.min(
        190,
        Math.max(
          ...labelled.map((series) =>
            Math.max(...endTexts(series, chart).map((text) => textWidth(text, 14.5))),
          ),
        ),
      ) + 14
    : 10;

  const height = (narrow ? 0.8 : 1) * (chart.height ?? 300);
  const top = 30 + key.height + (key.height > 0 ? 8 : 0);
  const bottom = top + height;
  const y = yScale(chart, [bottom, top]);
  const plot: Plot = { left: round(tickRoom(y) + 10), right: width - labelRoom, top, bottom };
  const x = xScale(chart, plot, narrow);
  return svg(
    chart,
    width,
    bottom + 48,
    [
      yLabel(chart.yLabel),
      key.content,
      yAxis(plot, y),
      xAxis(plot, x, chart.xLabel),
      landmarks(chart.landmarks ?? [], plot, x),
      chart.reference && reference(chart.reference, plot, y),
      chart.series.map((series) => spread(series, x, y)),
      chart.series.map((series) => {
        if (series.style === undefined) return quietLine(series, x, y);
        return chart.whiskers === true
          ? whiskers(series, series.style, x, y)
          : band(series, series.style, x, y);
      }),
      chart.series.map((series) => series.style !== undefined && line(series, series.style, x, y, chart)),
      direct && endLabels(labelled, chart, { plot, y, room: labelRoom - 14 }),
    ],
    { plot, x, y },
  );
}

function xScale({ series, xRange, xTicks }: LineChart, plot: Plot, narrow: boolean): Scale {
  const xs = series.flatMap(({ points }) => points.map((point) => point.x));
  const range = [plot.left + 6, plot.right - 6] as const;
  const ends = (values: readonly number[]): [number, number] => [
    values.reduce((least, value) => Math.min(least, value), Infinity),
    values.reduce((most, value) => Math.max(most, value), -Infinity),
  ];
  if (xRange !== undefined || xTicks === undefined)
    return linearScale(xRange ?? ends(xs), { range, ticks: narrow ? 4 : 7 });
  const [low, high] = ends([...xs, ...xTicks.map((tick) => tick.x)]);
  // Independent points keep off the edges.
  const room = (high - low || 1) / (2 * xTicks.length);
  const scale = linearScale([low - room, high + room], { range, ticks: 2 });
  const texts = new Map(xTicks.map((tick) => [tick.x, tick.text]));
  return Object.assign((value: number) => scale(value), {
    domain: scale.domain,
    ticks: [...texts.keys()],
    tickText: (tick: number) => texts.get(tick)!,
  });
}

function yScale(chart: LineChart, range: [number, number]): Scale {
  const values = chart.series
    .flatMap(({ points }) =>
      points.flatMap(({ y, low, high, least, most }) => [y, low ?? y, high ?? y, least ?? y, most ?? y]),
    )
    .concat(chart.reference?.y ?? [], chart.yRange ?? [])
    .filter(Number.isFinite);
  // Spread over an argument list, ten thousands of values would overflow the stack.
  let low = values.reduce((least, value) => Math.min(least, value), Infinity);
  let high = values.reduce((most, value) => Math.max(most, value), -Infinity);
  if (values.length === 0) [low, high] = [0, 1];
  const options = {
    range,
    ticks: 6,
    nice: true,
    ...(chart.yShare === true ? { tickText: percentTick } : {}),
  };
  if (chart.yScale === "log" && low > 0) return logScale([low, high], options);
  // Zero belongs in the picture unless that would press the lines into its upper half.
  if (low > 0 && low < high / 2) low = 0;
  return linearScale([low, high], options);
}

/** Path data through the finite points, broken if one is missing. */
function path(points: readonly Point[], x: Scale, y: Scale): string {
  let pen = "M";
  let data = "";
  for (const point of points) {
    const place = y(point.y);
    if (!Number.isFinite(place)) {
      pen = "M";
      continue;
    }
    data += `${pen}${at(x(point.x), place)}`;
    pen = "L";
  }
  return data;
}

function quietLine({ points }: LineSeries, x: Scale, y: Scale): Markup {
  return markup`<path class="quiet" d="${path(points, x, y)}"/>`;
}

/** A pale band from the least to the greatest of the values that the points of a line summarize. */
function spread({ points, style }: LineSeries, x: Scale, y: Scale): Markup | undefined {
  const known = points.filter(({ least, most }) => isFinite(y(least ?? NaN)) && isFinite(y(most ?? NaN)));
  if (known.length < 2) return undefined;
  const upper = known.map((point) => at(x(point.x), y(point.most!)));
  const lower = known.map((point) => at(x(point.x), y(point.least!)));
  const colour = style === undefined ? "var(--muted)" : seriesStyle(style).colour;
  return markup`<path class="spread" style="--c:${colour}" d="M${[...upper, ...lower.toReversed()].join("L")}Z"/>`;
}

function band({ points }: LineSeries, style: number, x: Scale, y: Scale): Markup | undefined {
  const { colour } = seriesStyle(style);
  const bounded = points.filter((point) => isFinite(y(point.low ?? NaN)) && isFinite(y(point.high ?? NaN)));
  const [first] = bounded;
  if (first === undefined) return undefined;
  if (bounded.length === 1) {
    const centre = round(x(first.x));
    return markup`<path class="whisker" style="--c:${colour}" d="M${centre} ${round(y(first.low!))}V${round(y(first.high!))}"/>`;
  }
  const upper = bounded.map((point) => at(x(point.x), y(point.high!)));
  const lower = bounded.map((point) => at(x(point.x), y(point.low!)));
  return markup`<path class="band" style="--c:${colour}" d="M${[...upper, ...lower.toReversed()].join("L")}Z"/>`;
}

function whiskers({ points }: LineSeries, style: number, x: Scale, y: Scale): Markup[] {
  const { colour } = seriesStyle(style);
  return points
    .filter((point) => isFinite(y(point.low ?? NaN)) && isFinite(y(point.high ?? NaN)))
    .map((point) => {
      const [centre, low, high] = [round(x(point.x)), round(y(point.low!)), round(y(point.high!))];
      return markup`<path class="whisker" style="--c:${colour}" d="M${centre} ${low}V${high}M${centre - 5} ${low}h10M${centre - 5} ${high}h10"/>`;
    });
}

/** Upright lines with their texts at the top, each on the side where there is room. */
function landmarks(places: readonly Landmark[], plot: Plot, x: Scale): Markup[] {
  const [low, high] = x.domain;
  return places
    .filter((place) => place.x > low && place.x < high)
    .map((place, i) => {
      const at = round(x(place.x));
      const left = at > (plot.left + plot.right) / 2;
      const text = markup`<text class="tick" x="${left ? at - 5 : at + 5}" y="${plot.top + 11 + 14 * (i % 3)}" text-anchor="${left ? "end" : "start"}">${place.label}</text>`;
      return markup`<path class="reference" d="M${at} ${plot.top}V${plot.bottom}"/>${text}`;
    });
}

function line(series: LineSeries, style: number, x: Scale, y: Scale, chart: LineChart): Markup {
  const { colour, dash, mark } = seriesStyle(style);
  const finite = series.points.filter((point) => Number.isFinite(y(point.y)));
  const marked = finite.length <= MOST_MARKS ? finite : finite.slice(-1);
  const marks = marked.map((point) => mark(x(point.x), y(point.y), tooltip(series.label, point, chart)));
  return markup`<path class="line" style="--c:${colour}" stroke-dasharray="${dash}" d="${path(series.points, x, y)}"/>${marks}`;
}

function tooltip(label: string, { at: own, x, y, low, high }: Point, chart: LineChart): string {
  const text = chart.yShare === true ? percent : readable;
  const interval = low === undefined || high === undefined ? "" : ` (${text(low)} to ${text(high)})`;
  const place = own ?? chart.xTicks?.find((tick) => tick.x === x)?.text ?? readable(x);
  return `${label} at ${place}: ${text(y)}${interval}`;
}

function reference({ y: level, label }: { y: number; label: string }, plot: Plot, y: Scale): Markup {
  const place = round(y(level));
  // At the top of the plot the label would run into the axis's title: there it is below its line, away from the beginning
  // of lines.
  const below = place - plot.top < 14;
  const text = below
    ? markup`<text class="tick" x="${plot.right - 6}" y="${place + 15}" text-anchor="end">${label}</text>`
    : markup`<text class="tick" x="${plot.left + 6}" y="${place - 6}">${label}</text>`;
  return markup`<path class="reference" d="M${plot.left} ${place}H${plot.right}"/>${text}`;
}

/** With more lines than this, their labels have no room for values. */
const MOST_WITH_VALUES = 6;

/** The label of a line, and its last value if there is room. */
function endTexts({ label, points }: LineSeries, { height = 300, series, yShare }: LineChart): string[] {
  const last = points.findLast(({ y }) => Number.isFinite(y));
  const shown = series.filter(({ unlabelled }) => unlabelled !== true).length;
  if (last === undefined || shown > MOST_WITH_VALUES || height < 30 * shown) return [label];
  return [label, yShare === true ? percent(last.y) : readable(last.y)];
}

function endLabels(
  series: readonly LineSeries[],
  chart: LineChart,
  { plot, room, y }: { readonly plot: Plot; readonly y: Scale; readonly room: number },
): Markup[] {
  const ends = series.map(({ points }) =>
    y(points.findLast((point) => Number.isFinite(y(point.y)))?.y ?? NaN),
  );
  const texts = series.map((each) => endTexts(each, chart));
  const places = spreadOut(
    ends.map((end) => (Number.isFinite(end) ? end : plot.bottom)),
    texts.some(({ length }) => length > 1) ? 30 : 16,
    [plot.top, plot.bottom - 4],
  );
  return series.map(({ style }, i) => {
    const [label, value] = texts[i]!;
    const place = round(places[i]!);
    const name = markup`<text class="series" style="--c:${style === undefined ? "var(--muted)" : seriesStyle(style).colour}" x="${plot.right + 6}" y="${place}" dy=".32em">${fitted(label!, room)}</text>`;
    return value === undefined
      ? name
      : markup`${name}<text class="tick" x="${plot.right + 6}" y="${place + 14}" dy=".32em">${value}</text>`;
  });
}
