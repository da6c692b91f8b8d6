import type { Table } from "../formats/table.ts";
import { printedCell } from "../figures/printed-cell.ts";
import { drawFigure, type Figure } from "../figures/figure.ts";
import { NARROW, WIDE } from "../figures/charts/frame.ts";
import { type Content, Markup, markup } from "../figures/markup.ts";
import { fixed } from "../figures/number-text.ts";

/** A part of the report, with the tables that its figures are drawn from. */
export interface Section {
  /** Its anchor on the page. */
  readonly id: string;
  readonly heading: string;
  readonly body: Content;
  readonly tables: readonly Table[];
  /** Further pages that it links to. */
  readonly pages?: readonly FurtherPage[];
}

/** A page beside the report. */
export interface FurtherPage {
  /** Relative to the run's folder: `game-pages/match-0.html`. */
  readonly path: string;
  readonly html: string;
}

/** A figure that is drawn by a function of its page. */
type OwnDrawing = Omit<Figure, "chart"> & { readonly draw: (width: number, id: string) => Markup };

/** A figure on a page, and the figure itself. */
class FigureMarkup extends Markup {
  readonly figure: Figure;

  constructor(text: () => string, figure: Figure) {
    super(text);
    this.figure = figure;
  }
}

/** The figures in a part of a report, as data that another page can draw. */
export function figuresIn(content: Content): Figure[] {
  if (content instanceof FigureMarkup) return [content.figure];
  return Array.isArray(content) ? content.flatMap(figuresIn) : [];
}

/** The most rows of a table that the page itself shows. */
const MOST_ROWS = 100;

/** A figure as HTML; the drawing for narrow screens is hidden on wide ones and the other way round. */
export function figureMarkup(figure: Figure | OwnDrawing): Markup {
  const { caption, id, table, title } = figure;
  const drawn = (width: number, chartId: string) =>
    "chart" in figure ? drawFigure(figure, width, chartId) : figure.draw(width, chartId);
  const html = () => markup`<figure id="${id}">
<div class="wide">${drawn(WIDE, `${id}-w`)}</div><div class="narrow">${drawn(NARROW, `${id}-n`)}</div>
<figcaption><b>${title}.</b> ${caption}</figcaption>
${dataMarkup(table)}
</figure>
`;
  // Drawn lazily: callers that need only the data skip it.
  return "chart" in figure ? new FigureMarkup(() => html().text, figure) : html();
}

/** The data of a figure, folded away, with the files that hold all of it. */
export function dataMarkup(table: Table): Markup {
  const rows = table.rows.length === 1 ? "1 row" : `${fixed(table.rows.length, 0)} rows`;
  return markup`<details><summary>Data (${rows})</summary>${tableMarkup(table)}</details>`;
}

/** A table as HTML with the links to its files; a long one is cut. */
export function tableMarkup(table: Table): Markup {
  // Made lazily: callers that need only the figures of a section skip it.
  return new Markup(() => tableHtml(table).text);
}

function tableHtml(table: Table): Markup {
  const shown = table.rows.slice(0, MOST_ROWS);
  const cut =
    table.rows.length > shown.length ? `The first ${shown.length} rows; all of them: ` : "As a file: ";
  const head = table.columns.map(({ name, type }) => markup`<th scope="col" class="${type}">${name}</th>`);
  const body = shown.map(
    (
      row,
    ) => markup`<tr>${table.columns.map((column, i) => markup`<td class="${column.type}">${printedCell(row[i] ?? null, column)}</td>`)}</tr>
`,
  );
  // A wide table scrolls within its own frame, by keys too; its title is outside and does not scroll away.
  return markup`<p class="title">${table.title}</p><div class="table" role="group" tabindex="0" aria-label="${table.title}"><table><thead><tr>${head}</tr></thead><tbody>
${body}</tbody></table></div>
<p class="files">${cut}${fileLinks(table)}</p>`;
}

/** Links to a table's files beside the report. */
function fileLinks({ name }: Pick<Table, "name">): Markup {
  return markup`<a href="data/${name}.csv">${name}.csv</a>, <a href="data/${name}.parquet">${name}.parquet</a>`;
}

/** Text made fit for a file's name and an anchor. */
export function slug(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]+/g, "-").replaceAll(/^-+|-+$/g, "") || "x";
}
