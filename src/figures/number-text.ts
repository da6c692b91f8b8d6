import type { Estimate } from "../stats/intervals.ts";

/** A number with a fixed count of decimals and thousands separators: `48,008.50`. */
export function fixed(value: number, decimals: number): string {
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  return formatOf(decimals).format(value).replace("-", "−");
}

/** By the count of decimals: to make a format takes longer than to use it a hundred times. */
const formats = new Map<number, Intl.NumberFormat>();

function formatOf(decimals: number): Intl.NumberFormat {
  const known =
    formats.get(decimals) ??
    new Intl.NumberFormat("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  formats.set(decimals, known);
  return known;
}

/** A number to about four digits, for tables: `48,008`, `3.142`, `0.0001235`, `1.2e-7`. */
export function readable(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return fixed(value, 0);
  const size = Math.abs(value);
  if (Number.isFinite(value) && (size < 1e-4 || size >= 1e15))
    return value.toExponential(3).replaceAll("-", "−");
  return fixed(value, Math.max(0, 3 - Math.floor(Math.log10(size))));
}

/** An estimate as `48,008 (95% interval 46,900 to 49,116)`, to two digits of the interval's half width. */
export function estimateText(estimate: Estimate): string {
  const { value, interval } = estimate;
  if (!interval.every(Number.isFinite)) return `${readable(value)} (no interval)`;
  const decimals = decimalsFor(estimate);
  return `${fixed(value, decimals)} (95% interval ${fixed(interval[0], decimals)} to ${fixed(interval[1], decimals)})`;
}

/** The decimals that show two digits of an interval's half width. */
export function decimalsFor({ value, interval }: Estimate): number {
  const half = (interval[1] - interval[0]) / 2;
  // Less is the rounding of an interval without a width: of results that are all equal.
  const least = 1e-9 * Math.max(...interval.map(Math.abs));
  if (half > least && Number.isFinite(half))
    return Math.min(12, Math.max(0, 1 - Math.floor(Math.log10(half))));
  return Number.isInteger(value) ? 0 : 3;
}

/** A share as a percentage: `12.3%`. */
export function percent(share: number): string {
  return `${fixed(100 * share, 1)}%`;
}

/** A share with its interval: `12.3% (95% interval 9.8% to 15.1%)`. */
export function percentEstimateText({ interval: [low, high], value }: Estimate): string {
  return `${percent(value)} (95% interval ${percent(low)} to ${percent(high)})`;
}

/** A share at a tick of an axis, with as many digits as it has: `50%`, `2.5%`. */
export function percentTick(share: number): string {
  return `${Number((100 * share).toPrecision(6))}%`.replace("-", "−");
}

/** Seconds as `45 s`, `12 min 5 s`, `3 h 20 min`. */
export function duration(seconds: number): string {
  if (seconds < 10) return `${fixed(seconds, 1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${fixed(Math.floor(whole / 3600), 0)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** A time as `45 s`, `12 min`, `3 h 20 min`, `2 d 13 h`: two figures at most. */
export function ago(seconds: number): string {
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min`;
  if (s < 86_400) {
    const minutes = Math.floor((s % 3600) / 60);
    return `${Math.floor(s / 3600)} h${minutes === 0 ? "" : ` ${minutes} min`}`;
  }
  const hours = Math.floor((s % 86_400) / 3600);
  return `${Math.floor(s / 86_400)} d${hours === 0 ? "" : ` ${hours} h`}`;
}

/** Several names as `a, b and c`. */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat("en-GB").format(names);
}
