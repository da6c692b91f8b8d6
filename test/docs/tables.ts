import { pages, textOf } from "./pages.ts";

/** A table of a page. */
export interface Table {
  readonly page: string;
  /** The line of its head in the page, from 1 on. */
  readonly line: number;
  readonly head: readonly string[];
  /** The cells, without emphasis. */
  readonly rows: readonly (readonly string[])[];
  /** The paragraph after it; empty where there is none. */
  readonly after: string;
  /** Whether it stands in a block of figures, between `<!-- figures: ... -->` and `<!-- /figures -->`. */
  readonly inBlock: boolean;
}

const cellsOf = (line: string) =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.replaceAll("*", "").trim());

/** The tables of a page, or of a text that stands for it; those in code blocks are none. */
export function tablesOf(page: string, text: string = textOf(page)): Table[] {
  // Lines of code become empty lines, so that lines keep their numbers.
  const plain = text.replaceAll(/^( *)```.*?^\1```$/gms, (code) => code.replaceAll(/[^\n]/g, ""));
  return [...plain.matchAll(/(?:^\|.*(?:\n|$(?!\n)))+/gm)].map(({ 0: table, index }) => {
    const [head, , ...lines] = table.trimEnd().split("\n");
    const before = plain.slice(0, index);
    return {
      page,
      line: before.split("\n").length,
      head: cellsOf(head!),
      rows: lines.map(cellsOf),
      after: plain
        .slice(index + table.length)
        .trimStart()
        .split("\n\n", 1)[0]!
        .replaceAll("\n", " "),
      inBlock: before.lastIndexOf("<!-- figures:") > before.lastIndexOf("<!-- /figures -->"),
    };
  });
}

/** The tables of all pages. */
export const allTables: readonly Table[] = pages.flatMap((page) => tablesOf(page));

/** Where a table stands, for messages. */
export const placeOf = ({ page, line }: Table) => `${page}:${line}`;

/** A text without code. */
const withoutCode = (text: string) => text.replaceAll(/`[^`]*`/g, "");

/** Units that only measurements have: rates, times of machines, shares and scores with their intervals. */
const MEASURED =
  /\d[\d,.]*\s*(?:M |million )?(?:\w+\/s|GFLOP|(?:positions|games|moves) a second|us|ns|ms a move)\b|\/CPU s|\d\s*\[-?\.?\d/;

/** Sizes, which are also limits where they stand in sentences. */
const SIZE = /\d[\d,.]*\s*[kM]B\b/;

/**
 * Whether a table has measured figures. In the notebook these are all tables with a number outside of code; elsewhere, those
 * with a unit or an interval of measurements.
 */
export function isMeasured({ page, head, rows }: Table): boolean {
  const body = withoutCode(rows.map((row) => row.join(" | ")).join("\n"));
  if (page.startsWith("docs/notebook/")) return /\d/.test(body);
  const units = /\/s\b|\bms a|\bMB\b/.test(withoutCode(head.join(" | ")));
  return MEASURED.test(body) || SIZE.test(body) || (units && /\d/.test(body));
}

/** Whether the text of a page outside of tables and code has measured figures other than sizes. */
export function tellsFigures(text: string): boolean {
  const prose = text.replaceAll(/^( *)```.*?^\1```$/gms, "").replaceAll(/^\|.*$/gm, "");
  return MEASURED.test(withoutCode(prose));
}
