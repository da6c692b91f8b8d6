import { type Markup, markup } from "../markup.ts";
import { type ChartText, fitted, NARROW, svg, textWidth } from "./frame.ts";
import { round } from "./series-style.ts";

/** Shares of rows against columns. */
export interface CrossTable extends ChartText {
  readonly names: readonly string[];
  /** By row and column: a share in [0, 1], or not-a-number if there is none. */
  readonly shares: readonly (readonly number[])[];
}

/** Draws a square a pair, the fuller the further its share is from one half, with the share written in it. */
export function crossTable(chart: CrossTable, width: number): Markup {
  const { names, shares } = chart;
  const narrow = width <= NARROW;
  // Two digits and a space are room enough for the numbers that may be before the names.
  const label =
    Math.min(narrow ? 130 : 220, Math.max(...names.map((name) => textWidth(`00 ${name}`, 14.5)))) + 12;
  const cell = Math.min(76, (width - label - 4) / names.length);
  const height = Math.min(cell, 44);
  // Names are above their columns if they fit there, else numbers, which are then before the rows too.
  const numbered = names.some((name) => textWidth(name) > cell - 6);
  const top = 24;
  const heads = names.map(
    (name, column) =>
      markup`<text class="tick" x="${round(label + cell * (column + 0.5))}" y="15" text-anchor="middle">${numbered ? column + 1 : name}</text>`,
  );
  const rows = names.map((name, row) => {
    const y = top + height * row;
    const own = numbered ? `${row + 1} ${name}` : name;
    const cells = names.map((against, column) => {
      const value = shares[row]![column]!;
      if (row === column || Number.isNaN(value)) return undefined;
      const x = label + cell * column;
      // Better than half in one colour, worse in another; the text says which without it.
      const colour = value >= 0.5 ? "var(--series-0)" : "var(--series-1)";
      const fill = round(Math.abs(value - 0.5) * 14) / 10;
      return markup`<rect x="${round(x + 1)}" y="${round(y + 1)}" width="${round(cell - 2)}" height="${round(height - 2)}" style="fill:${colour};fill-opacity:${fill}"><title>${name} against ${against}: ${percentText(value)}</title></rect><text class="series" x="${round(x + cell / 2)}" y="${round(y + height / 2)}" dy=".32em" text-anchor="middle">${narrow ? Math.round(100 * value) : percentText(value)}</text>`;
    });
    return [
      markup`<text class="series" x="${label - 10}" y="${round(y + height / 2)}" dy=".32em" text-anchor="end">${fitted(own, label - 12)}</text>`,
      cells,
    ];
  });
  return svg(chart, width, top + height * names.length + 6, [heads, rows]);
}

function percentText(value: number): string {
  return `${(100 * value).toFixed(0)}%`;
}
