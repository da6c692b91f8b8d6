import { type Markup, markup } from "../markup.ts";
import { fitted, textWidth } from "./frame.ts";
import { seriesStyle } from "./series-style.ts";

/** An entry of a legend. */
export interface LegendEntry {
  readonly label: string;
  /** Number of its style; absent for the plain background series. */
  readonly style?: number | undefined;
  /** A filled square in place of a line with its mark. */
  readonly filled?: boolean;
}

/** A legend in rows from the top left; `height` is the room it takes. */
export function legend(
  entries: readonly LegendEntry[],
  width: number,
  top: number,
): { content: Markup[]; height: number } {
  const row = 20;
  const sample = 30;
  let x = 0;
  let y = top;
  const content = entries.map(({ label, style, filled }) => {
    const text = fitted(label, width - sample);
    const room = sample + textWidth(text, 14.5) + 14;
    if (x > 0 && x + room > width) {
      x = 0;
      y += row;
    }
    const middle = y + row / 2;
    const at = x;
    x += room;
    return markup`${swatch(at, middle, style, filled === true)}<text class="series" x="${at + sample}" y="${middle}" dy=".32em">${text}</text>`;
  });
  return { content, height: entries.length > 0 ? y + row - top : 0 };
}

function swatch(x: number, y: number, style: number | undefined, filled: boolean): Markup {
  if (style === undefined) return markup`<path class="quiet" d="M${x} ${y}h24"/>`;
  const { colour, dash, mark } = seriesStyle(style);
  if (filled)
    return markup`<rect class="bar" style="--c:${colour}" x="${x + 8}" y="${y - 6}" width="12" height="12"/>`;
  return markup`<path class="line" style="--c:${colour}" stroke-dasharray="${dash}" d="M${x} ${y}h24"/>${mark(x + 12, y)}`;
}
