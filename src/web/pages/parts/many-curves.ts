import { NEUTRAL } from "../../../figures/charts/series-style.ts";
import type { LineSeries, Point } from "../../../figures/charts/line-chart.ts";

/** Maximum number of lines with their own colours; further lines are grey, except those that are chosen. */
const MOST_COLOURED = 6;
/** Of more lines than these only the quantiles are drawn. */
const MOST_DRAWN = 40;
/** Number of the best lines, and of the newest ones, that can be chosen. */
const OFFERED = 10;

/** The lines of a chart, as many as one can look at. */
export interface Calmed {
  readonly series: readonly LineSeries[];
  /** The names of lines that can be chosen; none if all have colours. */
  readonly offered: readonly string[];
  /** What is to be said of lines that are not drawn. */
  readonly caption: string;
}

/** Lines of which at most six have colours: of more, those that are chosen, and all others are grey behind them. */
export function calmed(series: readonly LineSeries[], chosen: readonly string[]): Calmed {
  const own = series.filter(({ style }) => style !== undefined);
  const quiet = series.filter(({ style }) => style === undefined);
  if (own.length <= MOST_COLOURED) return { series, offered: [], caption: "" };
  const picked = chosen.flatMap((label) => own.find((each) => each.label === label) ?? []);
  const coloured = picked.map((each, style) => ({ ...each, style }));
  if (own.length <= MOST_DRAWN)
    return {
      series: [...quiet, ...own.filter((each) => !picked.includes(each)).map(plain), ...coloured],
      offered: own.map(({ label }) => label),
      caption: "",
    };
  const last = ({ points }: LineSeries) => points.findLast(({ y }) => Number.isFinite(y))?.y ?? -Infinity;
  const best = own.toSorted((a, b) => last(b) - last(a)).slice(0, OFFERED);
  const newest = own.slice(-OFFERED);
  return {
    series: [...quiet, quantiles(own), ...coloured],
    offered: [...new Set([...best, ...newest].map(({ label }) => label))],
    caption: `Of ${own.length} lines the grey band holds eight of ten at each place, and the grey line is the median. The ${OFFERED} best and the ${OFFERED} newest can be shown.`,
  };
}

/** A line in grey, without its interval and its label. */
function plain({ label, points }: LineSeries): LineSeries {
  return { label, points: points.map(({ x, y }) => ({ x, y })), unlabelled: true };
}

function quantiles(series: readonly LineSeries[]): LineSeries {
  const places = Map.groupBy(
    series.flatMap(({ points }) => points.filter(({ y }) => Number.isFinite(y))),
    ({ x }) => x,
  );
  const points = [...places]
    // If few were measured, their quantiles say nothing of all.
    .filter(([, here]) => here.length >= series.length / 2)
    .map(([x, here]): Point => {
      const values = here.map(({ y }) => y).toSorted((a, b) => a - b);
      const at = (share: number) => values[Math.round(share * (values.length - 1))]!;
      return { x, y: at(0.5), low: at(0.1), high: at(0.9) };
    });
  return { label: "median", style: NEUTRAL, points: points.toSorted((a, b) => a.x - b.x) };
}
