import { type Markup, markup } from "../markup.ts";
import { SERIES_COLOURS } from "../palette.ts";

/**
 * How the n-th series looks. Colour is never alone: dash and mark differ too, so that a chart can be read without
 * colour and on paper. The colours `--series-0`, `--series-1` and so on are those of `palette.ts`.
 */
export interface SeriesStyle {
  /** A CSS colour. */
  readonly colour: string;
  /** `stroke-dasharray`; empty for an unbroken line. */
  readonly dash: string;
  /** The mark at a point. */
  readonly mark: (x: number, y: number, tooltip?: string) => Markup;
}

const dashes = ["", "7 3", "2 3", "9 3 2 3", "1 4", "12 4"];

/** The style of what is no series: grey, with the mark of series 0. */
export const NEUTRAL = -1;

/** The style of series n. */
export function seriesStyle(n: number): SeriesStyle {
  const colour = n === NEUTRAL ? "var(--muted)" : `var(--series-${n % SERIES_COLOURS})`;
  // If colours repeat, dashes and marks are shifted against them.
  const turn = n === NEUTRAL ? 0 : n + Math.floor(n / SERIES_COLOURS);
  const shape = shapes[turn % shapes.length]!;
  return {
    colour,
    dash: dashes[turn % dashes.length]!,
    mark: (x, y, tooltip) => {
      const title = tooltip === undefined ? undefined : markup`<title>${tooltip}</title>`;
      return markup`<path class="mark" style="--c:${colour}" d="${shape(x, y)}">${title}</path>`;
    },
  };
}

const shapes: readonly ((x: number, y: number) => string)[] = [
  (x, y) => `M${at(x - 3.6, y)}a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0 -7.2 0z`,
  (x, y) => `M${at(x - 3.3, y - 3.3)}h6.6v6.6h-6.6z`,
  (x, y) => `M${at(x, y - 4.4)}l4.2 7.4h-8.4z`,
  (x, y) => `M${at(x, y - 4.6)}l4.6 4.6l-4.6 4.6l-4.6 -4.6z`,
  (x, y) => `M${at(x, y + 4.4)}l4.2 -7.4h-8.4z`,
];

/** Coordinates to a tenth of a pixel, as path data. */
export function at(x: number, y: number): string {
  return `${round(x)} ${round(y)}`;
}

/** A coordinate to a tenth of a pixel: finer than the eye, shorter to store. */
export function round(x: number): number {
  return Math.round(x * 10) / 10;
}
