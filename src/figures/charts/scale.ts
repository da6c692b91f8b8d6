import { roundUp } from "../../stats/histogram.ts";

/** A mapping from data to a span of the drawing, with the places of its ticks. */
export interface Scale {
  (value: number): number;
  readonly ticks: readonly number[];
  readonly tickText: (tick: number) => string;
  /** The span of data that is drawn. */
  readonly domain: readonly [number, number];
}

/** How a scale is wanted. */
export interface ScaleOptions {
  /** The places of the ends of the domain in the drawing. */
  readonly range: readonly [number, number];
  /** About how many ticks fit. */
  readonly ticks: number;
  /** Widen the domain to whole ticks. */
  readonly nice?: boolean;
  /** Text of a tick if numbers will not do: percentages, times. */
  readonly tickText?: (tick: number) => string;
}

/** Equal steps for equal differences; ticks at round numbers. */
export function linearScale([low, high]: readonly [number, number], options: ScaleOptions): Scale {
  const size = Math.max(Math.abs(low), Math.abs(high));
  // Values that differ by less than ticks can show are drawn as one, in the middle.
  if (high - low <= 1e-9 * size) {
    const room = size / 10 || 1;
    [low, high] = [low - room, high + room];
  }
  const step = roundUp((high - low) / options.ticks);
  // A tick is a whole number of steps: adding steps up would gather rounding errors.
  const first = options.nice === true ? Math.floor(low / step + 1e-9) : Math.ceil(low / step - 1e-9);
  const last = options.nice === true ? Math.ceil(high / step - 1e-9) : Math.floor(high / step + 1e-9);
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => tidy((first + i) * step));
  const domain = options.nice === true ? ([first * step, last * step] as const) : ([low, high] as const);
  const text = options.tickText ?? tickTexts(step, Math.max(Math.abs(low), Math.abs(high)));
  return scale(domain, options.range, (value) => value, ticks, text);
}

/** Equal steps for equal ratios; ticks at powers of ten, and at 2 and 5 times those if few powers are in sight. */
export function logScale([low, high]: readonly [number, number], options: ScaleOptions): Scale {
  if (!(low > 0)) throw new RangeError("a logarithmic scale needs positive numbers");
  const first = Math.floor(Math.log10(low) + 1e-9);
  const last = Math.ceil(Math.log10(high) - 1e-9);
  const decades = last - first;
  const factors = decades <= options.ticks / 3 ? [1, 2, 5] : [1];
  const every = Math.max(1, Math.ceil(decades / options.ticks));
  const marks: number[] = [];
  for (let power = first; power <= last; power++)
    if ((power - first) % every === 0) for (const factor of factors) marks.push(tidy(factor * 10 ** power));
  const below = marks.findLast((mark) => mark <= low * (1 + 1e-9)) ?? low;
  const above = marks.find((mark) => mark >= high * (1 - 1e-9)) ?? high;
  const domain: [number, number] = options.nice === true ? [below, above] : [low, high];
  if (domain[0] === domain[1]) domain[1] = domain[0] * 10;
  const ticks = marks.filter((mark) => mark >= domain[0] * (1 - 1e-9) && mark <= domain[1] * (1 + 1e-9));
  return scale(
    domain,
    options.range,
    Math.log10,
    ticks,
    options.tickText ?? ((tick) => tickTexts(tick, tick)(tick)),
  );
}

function scale(
  domain: readonly [number, number],
  range: readonly [number, number],
  transform: (value: number) => number,
  ticks: readonly number[],
  tickText: (tick: number) => string,
): Scale {
  const from = transform(domain[0]);
  const slope = (range[1] - range[0]) / (transform(domain[1]) - from);
  return Object.assign((value: number) => range[0] + slope * (transform(value) - from), {
    domain,
    ticks,
    tickText,
  });
}

/** Removes the last digits, which are rounding. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}

/** Texts of ticks `step` apart, the greatest of size `size`: as many decimals as the step needs, `2.5M` for millions. */
function tickTexts(step: number, size: number): (tick: number) => string {
  const [unit, sign] = size >= 1e6 ? (units.find(([least]) => size >= least) ?? [1, ""]) : [1, ""];
  if (size >= 1e15 || (size > 0 && size < 1e-4))
    return (tick) => (tick === 0 ? "0" : tick.toExponential().replaceAll("-", "−"));
  const decimals = Math.max(0, -Math.floor(Math.log10(step / unit) + 1e-9));
  return (tick) => {
    if (tick === 0) return "0";
    const text = (tick / unit).toLocaleString("en-US", {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
    return `${text.replace("-", "−")}${sign}`;
  };
}

const units = [
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
] as const;
