/** A named table of a report: printed as text and HTML, and written as CSV and Parquet. */
export interface Table {
  /** The name of its files: `match-results`. */
  readonly name: string;
  /** What the rows are, in a sentence. */
  readonly title: string;
  readonly columns: readonly Column[];
  /** One cell per column; null where there is no value. */
  readonly rows: readonly (readonly Cell[])[];
}

/** A column: its name, the kind of its cells, and how they are printed. Files hold the cells as they are. */
export interface Column {
  readonly name: string;
  /** Fixed beforehand rather than guessed from the rows, so that the schema is the same for every run. */
  readonly type: "text" | "integer" | "number";
  /** Its name above lines of text, if its own is too long or says less there. */
  readonly head?: string;
  /** Numbers that are shares, 0 to 1: their unit in print is per cent. */
  readonly share?: true;
  /** The decimals in print; about four digits without it. */
  readonly digits?: number;
  /** Positive numbers have a plus: differences, and Elo about a mean. */
  readonly signed?: true;
  /** Texts are aligned to the left and numbers to the right, except texts that begin with a number. */
  readonly align?: "right";
  /** One end of the interval of the column before: lines of text show both ends in one column. */
  readonly end?: "low" | "high";
}

/** The content of a field: text, or a number of the column's kind. Files leave numbers empty that are not finite. */
export type Cell = string | number | null;

/** Columns and rows without the name of a file. */
export type Cells = Pick<Table, "columns" | "rows">;

/** A column, and its cell in a row of any kind; NaN and undefined are no value. */
export interface ColumnOf<Row> extends Column {
  readonly cell: (row: Row) => Cell | undefined;
}

/** How a column is printed. */
type Print = Omit<Column, "name" | "type">;

/** The table of these rows: everything on a column is in one place, its entry of `listed`, in which an estimate has three. */
export function tabulated<Row>(
  rows: readonly Row[],
  listed: readonly (ColumnOf<Row> | readonly ColumnOf<Row>[])[],
): Cells {
  const columns = listed.flat();
  return {
    columns: columns.map((column) => {
      const { cell: _, ...shown } = column;
      return shown;
    }),
    rows: rows.map((row) =>
      columns.map(({ cell }) => {
        const value = cell(row) ?? null;
        return Number.isNaN(value) ? null : value;
      }),
    ),
  };
}

/** The columns of a table by the kind of their cells. */
export const column = { text, integer, number, estimate };

/** A column of texts. */
function text<Row>(
  name: string,
  cell: (row: Row) => string | null | undefined,
  print: Print = {},
): ColumnOf<Row> {
  return { name, type: "text", ...print, cell };
}

/** A column of whole numbers. */
function integer<Row>(
  name: string,
  cell: (row: Row) => number | null | undefined,
  print: Print = {},
): ColumnOf<Row> {
  return { name, type: "integer", ...print, cell };
}

/** A column of numbers. */
function number<Row>(
  name: string,
  cell: (row: Row) => number | null | undefined,
  print: Print = {},
): ColumnOf<Row> {
  return { name, type: "number", ...print, cell };
}

/** The three columns of an estimate: its value and the ends of its interval, named `NAME low` and `NAME high` or as `ends`. */
function estimate<Row>(
  name: string,
  cell: (row: Row) => { readonly value: number; readonly interval: readonly [number, number] } | undefined,
  {
    ends: [low, high] = [`${name} low`, `${name} high`],
    ...print
  }: Print & { readonly ends?: readonly [string, string] } = {},
): ColumnOf<Row>[] {
  const { head: _, ...ofEnds } = print;
  // An interval over all numbers is none: that of a single game.
  const interval = (row: Row) => {
    const bounds = cell(row)?.interval;
    return bounds?.some((bound) => Number.isFinite(bound)) === true ? bounds : undefined;
  };
  return [
    number(name, (row) => cell(row)?.value, print),
    number(low, (row) => interval(row)?.[0], { ...ofEnds, end: "low" }),
    number(high, (row) => interval(row)?.[1], { ...ofEnds, end: "high" }),
  ];
}
