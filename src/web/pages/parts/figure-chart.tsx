import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { LineSeries } from "../../../figures/charts/line-chart.ts";
import { type Figure, drawFigure } from "../../../figures/figure.ts";
import { percent, readable } from "../../../figures/number-text.ts";
import { svgElement } from "./svg-element.ts";
import { ago } from "./texts.ts";

/** The least time between two drawings of one chart, in milliseconds. */
const PACE_MS = 250;

/** The place that all charts of the page show, on an axis of one name; undefined: none is looked at. */
interface Looked {
  readonly axis: string;
  readonly x: number;
}

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
  const looked = useSignal<Looked | undefined>(undefined);
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

  const chart = figure.chart;
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
  }, [figure, shown, inSight, again, height]);

  const lines = chart.kind === "lines" ? chart : undefined;
  const xs = lines === undefined ? [] : placesOf(lines.series);
  const look = (clientX: number) => {
    const axis = axisOf(place.current);
    if (axis === undefined || xs.length === 0) return;
    const wanted = axis.value(clientX - place.current!.getBoundingClientRect().left);
    looked.value = { axis: lines!.xLabel, x: nearest(xs, wanted) };
  };
  const step = (by: number) => {
    if (xs.length === 0) return;
    const at = looked.value === undefined ? (by > 0 ? -1 : xs.length) : xs.indexOf(looked.value.x);
    looked.value = { axis: lines!.xLabel, x: xs[Math.min(xs.length - 1, Math.max(0, at + by))]! };
  };
  return (
    <div
      ref={place}
      class="chart"
      tabIndex={lines === undefined ? undefined : 0}
      role={lines === undefined ? undefined : "group"}
      aria-label={lines === undefined ? undefined : `${figure.title}: arrow keys read its points`}
      onPointerMove={(event) => look(event.clientX)}
      onPointerDown={(event) => look(event.clientX)}
      onPointerLeave={() => (looked.value = undefined)}
      onBlur={() => (looked.value = undefined)}
      onKeyDown={(event) => {
        const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
        if (by === 0) return;
        event.preventDefault();
        step(by);
      }}
    >
      <div class="canvas" />
      {lines !== undefined && looked.value !== undefined && (
        <Values lines={lines} x={looked.value.x} place={place.current} />
      )}
    </div>
  );
}

/** The values of all lines at one place: a line there, and a box beside it. */
function Values({
  lines,
  place,
  x,
}: {
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
      <div ref={box} class="at-box" role="status">
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
