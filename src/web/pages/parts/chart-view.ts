import { computed, signal } from "@preact/signals";
import type { Figure } from "../../../figures/figure.ts";
import { choose, chooseAll, query } from "../shell/router.ts";

/** A figure of lines. */
type Lines = Extract<Figure["chart"], { kind: "lines" }>;

/** A stretch of all charts with one horizontal axis. */
export interface Zoom {
  /** The name of the axis. */
  readonly axis: string;
  readonly low: number;
  readonly high: number;
}

/** The stretch that the address holds: `zoom=1000~2000~Games`. */
export const zoom = computed((): Zoom | undefined => {
  const [low, high, ...axis] = (query.value.get("zoom") ?? "").split("~");
  const ends = [Number(low), Number(high)] as const;
  return axis.length > 0 && ends[0] < ends[1]
    ? { axis: axis.join("~"), low: ends[0], high: ends[1] }
    : undefined;
});

/** Shows a stretch of all charts with an axis of this name; undefined shows all. */
export function setZoom(wanted: Zoom | undefined): void {
  choose({ zoom: wanted === undefined ? undefined : `${wanted.low}~${wanted.high}~${wanted.axis}` });
}

/** Whether charts whose values are all above 0 have logarithmic scales. */
export const isLog = computed(() => query.value.get("log") === "1");

/** Chooses between logarithmic and linear scales. */
export function setLog(log: boolean): void {
  choose({ log: log ? "1" : undefined });
}

/** The place that all charts with one horizontal axis show; undefined: none is looked at. */
export const looked = signal<{ readonly axis: string; readonly x: number } | undefined>(undefined);

/** How many places of a chart lie after the stretch that is shown: new ones do not move it. */
export function placesAfter({ series, xLabel }: Lines): number {
  const part = zoom.value;
  if (part?.axis !== xLabel) return 0;
  return new Set(series.flatMap(({ points }) => points.map(({ x }) => x).filter((x) => x > part.high))).size;
}

/** The lines that are chosen among many, by their names; the address holds them. */
export const chosenLines = computed((): readonly string[] => query.value.getAll("line"));

/** Chooses a line among many, or no longer. */
export function toggleLine(label: string): void {
  const now = chosenLines.value;
  chooseAll("line", now.includes(label) ? now.filter((each) => each !== label) : [...now, label]);
}

/** How often the axes were set back: vertical axes grow while one watches, and shrink only then. */
export const resets = signal(0);

/** Shows all, with axes that fit. */
export function resetView(): void {
  resets.value++;
  setZoom(undefined);
}

/** A chart as it is to be drawn: its stretch, and its scale. */
export function viewed(chart: Lines): Lines {
  const part = zoom.value?.axis === chart.xLabel ? zoom.value : undefined;
  const scaled: Lines = isLog.value ? { ...chart, yScale: "log" } : chart;
  if (part === undefined) return scaled;
  const { high, low } = part;
  return {
    ...scaled,
    xRange: [low, high],
    series: chart.series
      .map((series) => ({ ...series, points: series.points.filter(({ x }) => x >= low && x <= high) }))
      .filter(({ points }) => points.length > 0),
  };
}
