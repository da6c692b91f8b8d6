import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { fixed } from "../../../figures/number-text.ts";
import { linearScale } from "../../../figures/charts/scale.ts";
import type { ExpectationCurve, TurningPoint } from "../../views/game-views.ts";
import { turningMark } from "./stepping.ts";

const HEIGHT = 122;
const TOP = 16;
/** Room for the knob, and below it for the numbers of the steps. */
const BOTTOM = 26;
const LEFT = 44;
const RIGHT = 12;

/** What players expected in the course of a game, as the slider that chooses the step. */
export function ValueCurve({
  by,
  curves,
  marked,
  names,
  onStep,
  step,
  steps,
}: {
  readonly curves: readonly ExpectationCurve[];
  /** The analyst that expected it; undefined: each player, of its own seat. */
  readonly by: string | undefined;
  readonly marked: readonly TurningPoint[];
  /** By seat. */
  readonly names: readonly string[];
  readonly step: number;
  readonly steps: number;
  readonly onStep: (step: number) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const width = useSignal(600);
  useEffect(() => {
    const element = place.current!;
    const sizes = new ResizeObserver(() => (width.value = Math.floor(element.clientWidth)));
    sizes.observe(element);
    return () => sizes.disconnect();
  }, []);
  const wide = width.value;
  const right = wide - RIGHT;
  const x = (at: number) => LEFT + (at / Math.max(1, steps)) * (right - LEFT);
  const stepOf = (clientX: number) => {
    const from = clientX - place.current!.getBoundingClientRect().left;
    return Math.min(steps, Math.max(0, Math.round(((from - LEFT) / (right - LEFT)) * steps)));
  };
  // Players that count in different units have scales of their own, one below the other.
  const units = [...Map.groupBy(curves, ({ unit }) => unit).values()];
  const room = (HEIGHT - TOP - BOTTOM - 8 * Math.max(0, units.length - 1)) / Math.max(1, units.length);
  const unit = [...new Set(curves.map((each) => each.unit))].join("; ");
  const whose = curves.length === 1 ? names[curves[0]!.seat] : "each seat";
  const caption =
    curves.length === 0
      ? by === undefined
        ? "What the players expected was not kept."
        : `What ${by} expects is shown here once it has analysed two turns of a seat.`
      : `${by === undefined ? `Expected by ${curves.length === 1 ? whose : "each for itself"}` : `Expected by ${by} for ${whose}`}, at its turns: ${unit}`;
  return (
    <div class="curve">
      <p class="curve-caption">{caption}</p>
      {curves.length > 1 && (
        <p class="curve-keys">
          {curves.map(({ seat }) => (
            <span key={seat} class={`curve-key seat-line seat-${seat % 6}`} title={names[seat]}>
              <svg width="22" height="8" aria-hidden="true">
                <line class="line" x1="0" x2="22" y1="4" y2="4" />
              </svg>{" "}
              {names[seat]}
            </span>
          ))}
        </p>
      )}
      <div
        ref={place}
        class="curve-slider"
        role="slider"
        tabIndex={0}
        aria-label="Step of the game"
        aria-valuemin={1}
        aria-valuemax={steps + 1}
        aria-valuenow={step + 1}
        aria-valuetext={step === steps ? "the end" : `step ${fixed(step + 1, 0)} of ${fixed(steps, 0)}`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          onStep(stepOf(event.clientX));
        }}
        onPointerMove={(event) => event.buttons > 0 && onStep(stepOf(event.clientX))}
      >
        <svg width={wide} height={HEIGHT} aria-hidden="true">
          {units.map((group, i) => (
            <CurveGroup
              key={group[0]!.unit}
              curves={group}
              top={TOP + i * (room + 8)}
              height={room}
              x={x}
              left={LEFT}
              right={right}
              marked={marked}
            />
          ))}
          <line class="axis" x1={LEFT} x2={right} y1={HEIGHT - BOTTOM} y2={HEIGHT - BOTTOM} />
          {stepTicks(steps, Math.max(2, Math.floor(wide / 90))).map((tick) => (
            <text key={tick} class="tick" x={x(tick - 1)} y={HEIGHT - 3} text-anchor="middle">
              {fixed(tick, 0)}
            </text>
          ))}
          <line class="at-step" x1={x(step)} x2={x(step)} y1={4} y2={HEIGHT - BOTTOM} />
          <rect class="knob" x={x(step) - 6} y={HEIGHT - BOTTOM - 6} width={12} height={12} rx={3} />
        </svg>
      </div>
    </div>
  );
}

/** Steps, counted from 1, that the axis names: the first one, and round numbers. */
function stepTicks(steps: number, most: number): number[] {
  const { ticks } = linearScale([1, Math.max(2, steps)], { range: [0, 1], ticks: most });
  return [1, ...ticks.filter((tick) => tick > 1 && tick <= steps && Number.isInteger(tick))];
}

/** The least and the greatest value of a unit that says what a win is: such curves of all games look alike. */
function rangeOf(unit: string): readonly [number, number] | undefined {
  if (!unit.startsWith("1 is ")) return undefined;
  return unit.includes("−1") ? [-1, 1] : [0, 1];
}

function CurveGroup({
  curves,
  height,
  left,
  marked,
  right,
  top,
  x,
}: {
  readonly curves: readonly ExpectationCurve[];
  readonly top: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly x: (step: number) => number;
  readonly marked: readonly TurningPoint[];
}) {
  const values = curves.flatMap(({ points }) => points.map(([, value]) => value));
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
  const [low, high] = rangeOf(curves[0]!.unit) ?? [least, most];
  const y = linearScale([Math.min(low, least), Math.max(high, most)], {
    range: [top + height, top],
    ticks: 2,
    nice: true,
  });
  return (
    <>
      {y.ticks.map((tick) => (
        <g key={tick}>
          <line class="grid" x1={left} x2={right} y1={y(tick)} y2={y(tick)} />
          <text class="tick" x={left - 9} y={y(tick) + 4} text-anchor="end">
            {Math.abs(tick) >= 10_000 ? `${fixed(tick / 1000, 0)}k` : y.tickText(tick)}
          </text>
        </g>
      ))}
      {curves.map(({ points, seat }) => {
        const { band, line } = columns(points, x, y);
        return (
          <g key={seat} class={`seat-line seat-${seat % 6}`}>
            {band !== "" && <path class="band" d={band} />}
            <path class="line" d={line} />
          </g>
        );
      })}
      {marked.flatMap((point) => {
        const curve = curves.find(({ seat }) => seat === point.seat);
        const value = curve?.points.find(([step]) => step === point.step)?.[1];
        if (value === undefined) return [];
        const mark = turningMark(point);
        return [
          <text
            key={point.step}
            class="turning"
            x={x(point.step)}
            y={Math.max(12, y(value) - 5)}
            text-anchor="middle"
          >
            {mark}
          </text>,
        ];
      })}
    </>
  );
}

/** A line of at most one point a pixel: the mean of each, with the least and the greatest as a band. */
function columns(
  points: ExpectationCurve["points"],
  x: (step: number) => number,
  y: (value: number) => number,
): { readonly line: string; readonly band: string } {
  const path = (list: readonly (readonly [number, number])[]) =>
    list.map(([px, py]) => `${px.toFixed(1)} ${py.toFixed(1)}`).join("L");
  const bins = Map.groupBy(points, ([step]) => Math.round(x(step)));
  if (bins.size === points.length || points.length < 300)
    return { line: `M${path(points.map(([step, value]) => [x(step), y(value)]))}`, band: "" };
  const means: [number, number][] = [];
  const low: [number, number][] = [];
  const high: [number, number][] = [];
  for (const [at, members] of bins) {
    const values = members.map(([, value]) => value);
    means.push([at, y(values.reduce((sum, value) => sum + value, 0) / values.length)]);
    low.push([at, y(Math.min(...values))]);
    high.push([at, y(Math.max(...values))]);
  }
  return { line: `M${path(means)}`, band: `M${path(high)}L${path(low.toReversed())}Z` };
}
