import { type Markup, markup } from "../markup.ts";
import { duration } from "../number-text.ts";
import { type ChartText, fitted, NARROW, type Plot, svg, textWidth, xAxis } from "./frame.ts";
import { linearScale } from "./scale.ts";
import { NEUTRAL, round, seriesStyle } from "./series-style.ts";

/** When things happened, one lane for each kind of thing. */
export interface TimeLine extends ChartText {
  /** Seconds. */
  readonly end: number;
  readonly lanes: readonly Lane[];
}

/** A lane of a time line. */
export interface Lane {
  readonly label: string;
  /** Seconds of the events, in increasing order. */
  readonly times: readonly number[];
  /** Whether the times are moments, to be marked one by one, or signs of work between them. */
  readonly kind: "work" | "moments";
}

/** Styles by kind, not by lane: colours mean agents in the other figures. */
const WORK = 0;
const MOMENTS = NEUTRAL;

/** A stage that is silent for longer than this share of the run is drawn as resting. */
const REST = 0.02;

/** Draws work as bars from the first sign of life to the last, broken at long times without an event; moments as marks. */
export function timeLine(chart: TimeLine, width: number): Markup {
  const narrow = width <= NARROW;
  const row = narrow ? 40 : 30;
  const top = 6;
  const bottom = top + row * chart.lanes.length;
  const labelRoom = narrow
    ? 0
    : Math.min(200, Math.max(...chart.lanes.map(({ label }) => textWidth(label, 14.5)))) + 14;
  const plot: Plot = { left: labelRoom, right: width - 22, top, bottom };
  const [unit, name] = timeUnit(chart.end);
  const x = linearScale([0, chart.end / unit], { range: [plot.left + 4, plot.right], ticks: narrow ? 4 : 8 });
  const grid = x.ticks.map((tick) => markup`<path class="grid" d="M${round(x(tick))} ${top}V${bottom}"/>`);
  const lanes = chart.lanes.map(({ label, times, kind }, i) => {
    const middle = top + row * (i + (narrow ? 0.7 : 0.5));
    const { colour, mark } = seriesStyle(kind === "moments" ? MOMENTS : WORK);
    const drawn =
      kind === "moments"
        ? thinned(times, chart.end).map((time) =>
            mark(x(time / unit), middle, `${label} at ${duration(time)}`),
          )
        : workIntervals(times, REST * chart.end).map(([from, to]) => {
            const start = round(x(from / unit));
            return markup`<rect class="bar" style="--c:${colour}" x="${start}" y="${middle - 6}" width="${Math.max(2, round(x(to / unit) - start))}" height="12" rx="2"><title>${label}: ${duration(from)} to ${duration(to)}</title></rect>`;
          });
    const text = narrow
      ? markup`<text class="series" x="2" y="${top + row * (i + 0.36)}">${fitted(label, width)}</text>`
      : markup`<text class="series" x="${labelRoom - 12}" y="${middle}" dy=".32em" text-anchor="end">${fitted(label, labelRoom - 14)}</text>`;
    return [text, drawn];
  });
  return svg(chart, width, bottom + 48, [grid, lanes, xAxis(plot, x, `Time at work (${name})`)]);
}

/** The best unit to show a span of this number of seconds: the unit's length in seconds and its name. */
export function timeUnit(end: number): [seconds: number, name: string] {
  if (end >= 4 * 86400) return [86400, "days"];
  if (end >= 3 * 3600) return [3600, "hours"];
  return end >= 180 ? [60, "minutes"] : [1, "seconds"];
}

/** The intervals in which the times lie at most `rest` apart. */
function workIntervals(times: readonly number[], rest: number): [number, number][] {
  const found: [number, number][] = [];
  for (const time of times) {
    const last = found.at(-1);
    if (last !== undefined && time - last[1] <= rest) last[1] = time;
    else found.push([time, time]);
  }
  return found;
}

/** Moments too near to be distinguished are marked once. */
function thinned(times: readonly number[], end: number): number[] {
  const kept: number[] = [];
  for (const time of times) if (kept.length === 0 || time - kept.at(-1)! > end / 200) kept.push(time);
  return kept;
}
