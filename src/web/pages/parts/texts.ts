import { fixed } from "../../../figures/number-text.ts";
import type { ShownCount, ShownProgress } from "../../views/run-views.ts";

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

/** The share of a run that is done, in whole percent. */
export function percentDone({ share }: ShownProgress): number {
  return Math.floor(100 * share);
}

/** `2,184 of 2,400 games`. */
export function countText({ done, total, unit }: ShownCount): string {
  return done >= total ? `${fixed(total, 0)} ${unit}` : `${fixed(done, 0)} of ${fixed(total, 0)} ${unit}`;
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
