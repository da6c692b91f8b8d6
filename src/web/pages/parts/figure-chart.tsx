import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { LineSeries } from "../../../figures/charts/line-chart.ts";
import { type Figure, drawFigure } from "../../../figures/figure.ts";
import { percent, readable } from "../../../figures/number-text.ts";
import { counted } from "../../../messages/counted.ts";
import { isLog, looked, placesAfter, setZoom, viewed, zoom } from "./chart-view.ts";
import { svgElement } from "./svg-element.ts";
import { ago } from "./texts.ts";

/** The least time between two drawings of one chart, in milliseconds. */
const PACE_MS = 250;

/** A drag over less than this is a press. In pixels. */
const LEAST_DRAG = 8;

/** A chart of a figure as wide as its place: the drawing of the report, with the values at the pointer and by arrow keys. */
export function FigureChart({
  figure,
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

  const chart = figure.chart.kind === "lines" ? viewed(figure.chart) : figure.chart;
  const shown = width.value;
  const inSight = visible.value;
  const again = turn.value;
  useEffect(() => {
    if (shown < 40 || !inSight) return undefined;
    const now = performance.now();
    const wait = drawn.current + PACE_MS - now;
    if (wait > 0) {
      const timer = window.setTimeout(() => turn.value++, wait);
      return () => window.clearTimeout(timer);
    }
    drawn.current = now;
    const sized = chart.kind === "lines" && height !== undefined ? { ...chart, height } : chart;
    const svg = svgElement(drawFigure({ chart: sized, title: figure.title }, shown, id).text);
    const canvas = place.current!.querySelector(".canvas")!;
    canvas.replaceChildren(...(svg === undefined ? [] : [svg]));
    return undefined;
  }, [figure, shown, inSight, again, height, zoom.value, isLog.value]);

  const after = figure.chart.kind === "lines" ? placesAfter(figure.chart) : 0;
  const lines = chart.kind === "lines" ? chart : undefined;
  const xs = lines === undefined ? [] : placesOf(lines.series);
  const pixelOf = (clientX: number) => clientX - place.current!.getBoundingClientRect().left;
  const look = (clientX: number) => {
    const axis = axisOf(place.current);
    if (axis === undefined || xs.length === 0) return;
    own.value = true;
    looked.value = { axis: lines!.xLabel, x: nearest(xs, axis.value(pixelOf(clientX))) };
  };
  const leave = () => {
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
        look(event.clientX);
        if (drag.value !== undefined) drag.value = [drag.value[0], pixelOf(event.clientX)];
      }}
      onPointerDown={(event) => {
        look(event.clientX);
        // A finger that moves scrolls the page.
        if (lines === undefined || event.pointerType !== "mouse" || event.button !== 0) return;
        drag.value = [pixelOf(event.clientX), pixelOf(event.clientX)];
        place.current!.setPointerCapture(event.pointerId);
      }}
      onPointerUp={enlarge}
      onPointerCancel={() => (drag.value = undefined)}
      onDblClick={() => setZoom(undefined)}
      onPointerLeave={leave}
      onBlur={leave}
      onKeyDown={(event) => {
        const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
        if (by === 0) return;
        event.preventDefault();
        step(by);
      }}
    >
      <div class="canvas" />
      {after > 0 && <p class="muted">{counted(after, "point")} after this stretch.</p>}
      {drag.value !== undefined && <Dragged ends={drag.value} place={place.current} />}
      {lines !== undefined && x !== undefined && (
        <Values lines={lines} x={x} place={place.current} own={own.value} />
      )}
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
    .flatMap(({ label, points, style }) => {
      const point = points.find((each) => each.x === x);
      return point === undefined || !Number.isFinite(point.y) ? [] : [{ label, point, style }];
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

/** The horizontal axis of the drawing in a place, as `svg` of frame.ts tells it. */
function axisOf(place: HTMLElement | null) {
  const svg = place?.querySelector("svg");
  const data = svg?.getAttribute("data-x")?.split(" ").map(Number);
  const plot = svg?.getAttribute("data-y")?.split(" ").map(Number);
  if (data === undefined || plot === undefined || data.length !== 4) return undefined;
  const [low, high, from, to] = data as [number, number, number, number];
  const slope = (to - from) / (high - low || 1);
  return {
    value: (pixel: number) => low + (pixel - from) / slope,
    pixel: (value: number) => from + (value - low) * slope,
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

/** A number of the axis, as exactly as a pixel tells it. */
function tidy(value: number, pixel: number): number {
  const step = 10 ** Math.ceil(Math.log10(pixel));
  return Number((Math.round(value / step) * step).toPrecision(12));
}
