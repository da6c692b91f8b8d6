import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { LineSeries } from "../../../figures/charts/line-chart.ts";
import { type Figure, drawFigure } from "../../../figures/figure.ts";
import { ago, fixed, percent, readable } from "../../../figures/number-text.ts";
import { counted } from "../../../messages/counted.ts";
import {
  chosenLines,
  isLog,
  looked,
  placesAfter,
  resets,
  resetView,
  setZoom,
  toggleLine,
  viewed,
  zoom,
} from "./chart-view.ts";
import { calmed } from "./many-curves.ts";
import { stretched } from "./stretch.ts";
import { svgElement } from "./svg-element.ts";
import { middle } from "./texts.ts";

/** The least time between two drawings of one chart, in milliseconds. */
const PACE_MS = 250;

/** A drag over less than this is a press. In pixels. */
const LEAST_DRAG = 8;

/** A chart of a figure as wide as its place: the drawing of the report, with the values at the pointer and by arrow keys. */
export function FigureChart({
  figure: whole,
  height,
  id,
}: {
  readonly figure: Figure;
  readonly id: string;
  /** Of the plot of a line chart, in pixels; default that of the figure. */
  readonly height?: number;
}) {
  const place = useRef<HTMLDivElement>(null);
  const width = useSignal(0);
  const visible = useSignal(false);
  const own = useSignal(false);
  const drag = useSignal<readonly [from: number, to: number] | undefined>(undefined);
  const drawn = useRef(0);
  const turn = useSignal(0);
  /** The line under the pointer, if there are many. */
  const pointed = useSignal<string | undefined>(undefined);
  /** The vertical axis so far: it grows, and does not shrink while one watches. */
  const kept = useRef<{ readonly key: string; readonly range: readonly [number, number] } | undefined>(
    undefined,
  );

  useLayoutEffect(() => {
    // Before the first picture, so that nothing moves after it.
    const element = place.current!;
    width.value = Math.floor(element.clientWidth);
    visible.value = element.getBoundingClientRect().top < window.innerHeight;
  }, []);
  useEffect(() => {
    const element = place.current!;
    const sizes = new ResizeObserver(() => (width.value = Math.floor(element.clientWidth)));
    const sight = new IntersectionObserver(([entry]) => (visible.value = entry!.isIntersecting), {
      rootMargin: "200px",
    });
    sizes.observe(element);
    sight.observe(element);
    return () => {
      sizes.disconnect();
      sight.disconnect();
    };
  }, []);

  const figure = stretched(whole);
  const calm =
    figure.chart.kind === "lines"
      ? calmed(figure.chart.series, [
          ...chosenLines.value,
          ...(pointed.value === undefined || chosenLines.value.includes(pointed.value)
            ? []
            : [pointed.value]),
        ])
      : undefined;
  const chart =
    figure.chart.kind === "lines" ? viewed({ ...figure.chart, series: calm!.series }) : figure.chart;
  const shown = width.value;
  const inSight = visible.value;
  const again = turn.value;
  useLayoutEffect(() => {
    if (shown < 40 || !inSight) return undefined;
    const now = performance.now();
    const wait = drawn.current + PACE_MS - now;
    if (wait > 0) {
      const timer = window.setTimeout(() => turn.value++, wait);
      return () => window.clearTimeout(timer);
    }
    drawn.current = now;
    const key = JSON.stringify([zoom.value, isLog.value, resets.value]);
    const sized =
      chart.kind === "lines"
        ? {
            ...chart,
            ...(height === undefined ? {} : { height }),
            ...(kept.current?.key === key ? { yRange: kept.current.range } : {}),
          }
        : chart;
    const svg = svgElement(drawFigure({ chart: sized, title: figure.title }, shown, id).text);
    const canvas = place.current!.querySelector(".canvas")!;
    canvas.replaceChildren(...(svg === undefined ? [] : [svg]));
    const range = svg?.getAttribute("data-v")?.split(" ").map(Number) as [number, number] | undefined;
    if (range !== undefined) kept.current = { key, range };
    return undefined;
  }, [
    figure.chart,
    figure.title,
    shown,
    inSight,
    again,
    height,
    zoom.value,
    isLog.value,
    resets.value,
    chosenLines.value,
    pointed.value,
  ]);

  const after = whole.chart.kind === "lines" ? placesAfter(whole.chart) : 0;
  const lines = chart.kind === "lines" ? chart : undefined;
  const xs = lines === undefined ? [] : placesOf(lines.series);
  const pixelOf = (clientX: number) => clientX - place.current!.getBoundingClientRect().left;
  const look = (clientX: number, clientY: number) => {
    const axis = axisOf(place.current);
    if (axis === undefined || xs.length === 0) return;
    own.value = true;
    const x = nearest(xs, axis.value(pixelOf(clientX)));
    looked.value = { axis: lines!.xLabel, x };
    if (calm!.offered.length === 0) return;
    const y = axis.valueAt(clientY - place.current!.getBoundingClientRect().top, lines!.yScale === "log");
    pointed.value = nearestLine(lines!.series, calm!.offered, { x, y });
  };
  const leave = () => {
    pointed.value = undefined;
    if (own.value) looked.value = undefined;
    own.value = false;
  };
  const step = (by: number) => {
    if (xs.length === 0) return;
    const at =
      !own.value || looked.value === undefined ? (by > 0 ? -1 : xs.length) : xs.indexOf(looked.value.x);
    own.value = true;
    looked.value = { axis: lines!.xLabel, x: xs[Math.min(xs.length - 1, Math.max(0, at + by))]! };
  };
  const enlarge = () => {
    const axis = axisOf(place.current);
    const ends = drag.value?.toSorted((a, b) => a - b);
    drag.value = undefined;
    if (axis === undefined || ends === undefined || ends[1]! - ends[0]! < LEAST_DRAG) return;
    const [low, high] = ends.map((each) => tidy(axis.value(each), axis.width));
    setZoom({ axis: lines!.xLabel, low: low!, high: high! });
  };
  // The nearest of its own points to what is looked at in any chart with this axis.
  const asked = looked.value;
  const x =
    lines === undefined || asked?.axis !== lines.xLabel || xs.length === 0 ? undefined : nearest(xs, asked.x);
  return (
    <div
      ref={place}
      class="chart"
      tabIndex={lines === undefined ? undefined : 0}
      role={lines === undefined ? undefined : "group"}
      aria-label={lines === undefined ? undefined : `${figure.title}: arrow keys read its points`}
      onPointerMove={(event) => {
        look(event.clientX, event.clientY);
        if (drag.value !== undefined) drag.value = [drag.value[0], pixelOf(event.clientX)];
      }}
      onPointerDown={(event) => {
        look(event.clientX, event.clientY);
        // A finger that moves scrolls the page.
        if (lines === undefined || event.pointerType !== "mouse" || event.button !== 0) return;
        drag.value = [pixelOf(event.clientX), pixelOf(event.clientX)];
        place.current!.setPointerCapture(event.pointerId);
      }}
      onPointerUp={enlarge}
      onPointerCancel={() => (drag.value = undefined)}
      onDblClick={resetView}
      onPointerLeave={leave}
      onBlur={leave}
      onKeyDown={(event) => {
        const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
        if (by === 0) return;
        event.preventDefault();
        step(by);
      }}
    >
      <div class="canvas" style={{ minHeight: roomFor(chart, height) }} />
      {after > 0 && <p class="muted">{counted(after, "new point")} after this stretch.</p>}
      {lines !== undefined && <Notes lines={lines} caption={calm!.caption} />}
      {calm !== undefined && calm.offered.length > 0 && (
        <LinePicker offered={calm.offered} onPoint={(label) => (pointed.value = label)} />
      )}
      {drag.value !== undefined && <Dragged ends={drag.value} place={place.current} />}
      {lines !== undefined && x !== undefined && (
        <Values lines={lines} x={x} place={place.current} own={own.value} />
      )}
    </div>
  );
}

/** The height that a chart will have, so that nothing moves when it is drawn. */
function roomFor(chart: Figure["chart"], height: number | undefined): string | undefined {
  return chart.kind === "lines" ? `${78 + (height ?? chart.height ?? 300)}px` : undefined;
}

/** Notes about lines whose points are means of several ones, and of lines that are not drawn. */
function Notes({
  caption,
  lines,
}: {
  readonly lines: Extract<Figure["chart"], { kind: "lines" }>;
  readonly caption: string;
}) {
  const most = Math.max(...lines.series.flatMap(({ points }) => points.map((point) => point.of ?? 1)), 1);
  if (most === 1 && caption === "") return null;
  return (
    <p class="chart-note">
      {caption}{" "}
      {most > 1 &&
        `Each point is the mean of up to ${fixed(most, 0)} values; the pale band reaches from their least to their greatest.`}
    </p>
  );
}

/** Chooses lines among many: they are coloured, with their bands. */
function LinePicker({
  offered,
  onPoint,
}: {
  readonly offered: readonly string[];
  readonly onPoint: (label: string | undefined) => void;
}) {
  const chosen = chosenLines.value;
  return (
    <div class="line-picker" role="group" aria-label="Lines to show in colour">
      {offered.map((label) => {
        const number = chosen.indexOf(label);
        return (
          <button
            key={label}
            type="button"
            title={label}
            class={number < 0 ? "" : `key-${number % 6}`}
            aria-pressed={number >= 0}
            onClick={() => toggleLine(label)}
            onPointerEnter={() => onPoint(label)}
            onPointerLeave={() => onPoint(undefined)}
          >
            {middle(label, 24)}
          </button>
        );
      })}
    </div>
  );
}

/** The stretch that is being chosen. */
function Dragged({
  ends,
  place,
}: {
  readonly ends: readonly [number, number];
  readonly place: HTMLElement | null;
}) {
  const axis = axisOf(place);
  if (axis === undefined) return null;
  const [left, right] = ends.toSorted((a, b) => a - b) as [number, number];
  const style = {
    left: `${left}px`,
    width: `${right - left}px`,
    top: `${axis.top}px`,
    height: `${axis.bottom - axis.top}px`,
  };
  return <div class="dragged" style={style} aria-hidden="true" />;
}

/** The values of all lines at one place: a line there, and a box beside it. `own`: this chart is the one that is looked at. */
function Values({
  lines,
  own,
  place,
  x,
}: {
  readonly own: boolean;
  readonly lines: Extract<Figure["chart"], { kind: "lines" }>;
  readonly place: HTMLElement | null;
  readonly x: number;
}) {
  const line = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const text = lines.yShare === true ? percent : readable;
  const rows = lines.series
    .flatMap(({ label, points, style, unlabelled }) => {
      const point = points.find((each) => each.x === x);
      return unlabelled === true || point === undefined || !Number.isFinite(point.y)
        ? []
        : [{ label, point, style }];
    })
    .toSorted((a, b) => b.point.y - a.point.y);
  useEffect(() => {
    const axis = axisOf(place);
    if (axis === undefined || line.current === null || box.current === null) return;
    const at = axis.pixel(x);
    line.current.style.left = `${at}px`;
    line.current.style.top = `${axis.top}px`;
    line.current.style.height = `${axis.bottom - axis.top}px`;
    const wide = box.current.offsetWidth;
    const right = at + 12 + wide <= place!.clientWidth;
    box.current.style.left = `${right ? at + 12 : Math.max(0, at - 12 - wide)}px`;
    box.current.style.top = `${axis.top}px`;
  });
  const at = /time|second/i.test(lines.xLabel) && !/\(/.test(lines.xLabel) ? ago(x) : readable(x);
  return (
    <>
      <div ref={line} class="at-line" aria-hidden="true" />
      <div ref={box} class="at-box" role={own ? "status" : undefined}>
        <b>
          {lines.xLabel}: {at}
        </b>
        {rows.map(({ label, point, style }) => (
          <p key={label} class={style === undefined ? "key-none" : `key-${style % 6}`}>
            <span>{label}</span> <b>{text(point.y)}</b>
            {point.low !== undefined && point.high !== undefined && Number.isFinite(point.low) && (
              <span class="muted">
                {" "}
                [{text(point.low)}, {text(point.high)}]
              </span>
            )}
          </p>
        ))}
      </div>
    </>
  );
}

/** The horizontal axis of the drawing in a place, from the attributes that `svg` of frame.ts writes. */
function axisOf(place: HTMLElement | null) {
  const svg = place?.querySelector("svg");
  const data = svg?.getAttribute("data-x")?.split(" ").map(Number);
  const plot = svg?.getAttribute("data-y")?.split(" ").map(Number);
  const ends = svg?.getAttribute("data-v")?.split(" ").map(Number) ?? [0, 1];
  if (data === undefined || plot === undefined || data.length !== 4) return undefined;
  const [low, high, from, to] = data as [number, number, number, number];
  const slope = (to - from) / (high - low || 1);
  return {
    value: (pixel: number) => low + (pixel - from) / slope,
    pixel: (value: number) => from + (value - low) * slope,
    /** The value at a height. */
    valueAt: (pixel: number, log: boolean) => {
      const part = (plot[1]! - pixel) / (plot[1]! - plot[0]! || 1);
      const [least, greatest] = ends as [number, number];
      return log ? least * (greatest / least) ** part : least + part * (greatest - least);
    },
    width: Math.abs(high - low) / Math.abs(to - from || 1),
    top: plot[0]!,
    bottom: plot[1]!,
  };
}

function placesOf(series: readonly LineSeries[]): number[] {
  return [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))].toSorted((a, b) => a - b);
}

function nearest(places: readonly number[], wanted: number): number {
  return places.reduce((best, each) => (Math.abs(each - wanted) < Math.abs(best - wanted) ? each : best));
}

/** The name of the line that passes nearest to a place, among those that can be chosen. */
function nearestLine(
  series: readonly LineSeries[],
  offered: readonly string[],
  { x, y }: { readonly x: number; readonly y: number },
): string | undefined {
  const away = series
    .filter(({ label }) => offered.includes(label))
    .flatMap(({ label, points }) => {
      const point = points.findLast((each) => each.x <= x) ?? points[0];
      return point === undefined || !Number.isFinite(point.y) ? [] : [{ label, by: Math.abs(point.y - y) }];
    });
  return away.reduce<(typeof away)[number] | undefined>(
    (best, each) => (best === undefined || each.by < best.by ? each : best),
    undefined,
  )?.label;
}

/** A number of the axis, rounded to the precision of a pixel. */
function tidy(value: number, pixel: number): number {
  const step = 10 ** Math.ceil(Math.log10(pixel));
  return Number((Math.round(value / step) * step).toPrecision(12));
}
