import { type Content, type Markup, markup } from "../markup.ts";
import type { Scale } from "./scale.ts";
import { round } from "./series-style.ts";

/** Charts are drawn at this width for pages, and again at the other for narrow screens, so that text keeps its size. In pixels. */
export const WIDE = 820;
/** See `WIDE`. */
export const NARROW = 380;

/** What a chart is, for people who do not see it. */
export interface ChartText {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  /** What the chart shows, in a sentence. */
  readonly description: string;
}

/**
 * An SVG element with its title and description. If values can be read from the horizontal axis, `data-x` has
 * its least and greatest value, and their pixels; `data-y` has the pixels of the plot's top and bottom;
 * `data-v` the least and greatest value of the vertical axis.
 */
export function svg(
  { id, title, description }: ChartText,
  width: number,
  height: number,
  content: Content,
  axis?: { readonly plot: Plot; readonly x: Scale; readonly y?: Scale },
): Markup {
  const h = round(height);
  const places =
    axis && [...axis.x.domain, ...axis.x.domain.map((end) => round(axis.x(end)))].map(String).join(" ");
  const values = axis?.y && markup` data-v="${axis.y.domain.map(String).join(" ")}"`;
  const data =
    axis && markup` data-x="${places}" data-y="${round(axis.plot.top)} ${round(axis.plot.bottom)}"${values}`;
  return markup`<svg${data} viewBox="0 0 ${width} ${h}" width="${width}" height="${h}" role="img" aria-labelledby="${id}-t ${id}-d"><title id="${id}-t">${title}</title><desc id="${id}-d">${description}</desc>${content}</svg>`;
}

/** The inner rectangle of a chart. */
export interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Horizontal grid lines with their texts at the left. */
export function yAxis(plot: Plot, y: Scale): Markup[] {
  return y.ticks.map((tick) => {
    const at = round(y(tick));
    return markup`<path class="grid" d="M${plot.left} ${at}H${plot.right}"/><text class="tick" x="${plot.left - 8}" y="${at}" dy=".32em" text-anchor="end">${y.tickText(tick)}</text>`;
  });
}

/** The base line with ticks, their texts and the axis's label under it. */
export function xAxis(plot: Plot, x: Scale, label: string): Markup[] {
  const ticks = x.ticks.map((tick) => {
    const at = round(x(tick));
    return markup`<path class="axis" d="M${at} ${plot.bottom}v5"/><text class="tick" x="${at}" y="${plot.bottom + 19}" text-anchor="middle">${x.tickText(tick)}</text>`;
  });
  return [
    markup`<path class="axis" d="M${plot.left} ${plot.bottom}H${plot.right}"/>`,
    ...ticks,
    xLabel(plot, label),
  ];
}

/** The label of the horizontal axis. */
export function xLabel(plot: Plot, label: string): Markup {
  return markup`<text class="label" x="${(plot.left + plot.right) / 2}" y="${plot.bottom + 40}" text-anchor="middle">${label}</text>`;
}

/** The label of the vertical axis, written level above it. */
export function yLabel(label: string, y = 14): Markup {
  return markup`<text class="label" x="0" y="${y}">${label}</text>`;
}

/** About how wide a text is, in pixels: there is no browser to ask. Errs on the wide side for common sans serif faces. */
export function textWidth(text: string, size = 12.5): number {
  let width = 0;
  for (const character of text)
    width += /[\u1100-\uffdc]|\p{Extended_Pictographic}/u.test(character)
      ? 1
      : /[ .,:;'|ijltfI()]/.test(character)
        ? 0.34
        : 0.61;
  return width * size;
}

/** A text cut to a width, with an ellipsis if something is missing. */
export function fitted(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  const characters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  while (characters.length > 1 && textWidth(`${characters.join("")}…`) > width) characters.pop();
  return `${characters.join("")}…`;
}

/** The widest of the texts of a scale's ticks. */
export function tickRoom(scale: Scale): number {
  return Math.max(0, ...scale.ticks.map((tick) => textWidth(scale.tickText(tick))));
}

/** Moves places apart so that neighbours are at least `gap` from each other, each as near as can be to where it was. */
export function spreadOut(
  places: readonly number[],
  gap: number,
  [low, high]: readonly [number, number],
): number[] {
  const order = places.map((_, i) => i).sort((a, b) => places[a]! - places[b]!);
  const moved = [...places];
  let floor = low;
  for (const i of order) floor = (moved[i] = Math.max(moved[i]!, floor)) + gap;
  let ceiling = high;
  for (const i of order.toReversed()) ceiling = (moved[i] = Math.min(moved[i]!, ceiling)) - gap;
  return moved;
}
