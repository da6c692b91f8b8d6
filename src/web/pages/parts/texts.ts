import { decimalsFor, fixed } from "../../../figures/number-text.ts";
import type { ShownProgress, ShownResult } from "../../views/run-views.ts";

/** A time as `45 s`, `12 min`, `3 h 20`, `2 d 13 h`: two figures at most. */
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

/** The time of the day: `08:41:07`. */
export function clock(time: number | string): string {
  return new Date(time).toLocaleTimeString("en-GB");
}

/** A moment of a run: `12:05`, or `1:02:05` from an hour on. */
export function atWork(seconds: number): string {
  const s = Math.floor(seconds);
  const two = (value: number) => String(value).padStart(2, "0");
  return s < 3600
    ? `${Math.floor(s / 60)}:${two(s % 60)}`
    : `${Math.floor(s / 3600)}:${two(Math.floor((s % 3600) / 60))}:${two(s % 60)}`;
}

/** `2,184 of 2,400 games`. */
export function progressText({ done, total, unit }: ShownProgress): string {
  return done >= total ? `${fixed(total, 0)} ${unit}` : `${fixed(done, 0)} of ${fixed(total, 0)} ${unit}`;
}

/** A result's value and interval: `30.0%` and `[18, 45]`. */
export function resultTexts({
  interval: [low, high],
  measure,
  value,
}: Pick<ShownResult, "interval" | "measure" | "value">): {
  readonly value: string;
  readonly interval: string;
} {
  if (measure === "share won")
    return {
      value: `${fixed(100 * value, 1)}%`,
      interval: low === null || high === null ? "" : `[${fixed(100 * low, 0)}, ${fixed(100 * high, 0)}]`,
    };
  const decimals = low === null || high === null ? 0 : decimalsFor({ value, interval: [low, high] });
  return {
    value: fixed(value, decimals),
    interval: low === null || high === null ? "" : `[${fixed(low, decimals)}, ${fixed(high, decimals)}]`,
  };
}

/** A rate with two digits: `3.8`, `1,240`. */
export function twoDigits(rate: number): string {
  return fixed(rate, rate >= 100 ? 0 : rate >= 1 ? 1 : 2);
}

/** A name cut in the middle, where namesakes seldom differ. */
export function middle(text: string, most: number): string {
  const letters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  if (letters.length <= most) return text;
  const head = Math.ceil((most - 1) * 0.55);
  return `${letters.slice(0, head).join("")}…${letters.slice(letters.length - (most - 1 - head)).join("")}`;
}
