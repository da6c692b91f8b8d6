/** A named table of a report, to be written as CSV and Parquet. */
export interface Table {
  /** The name of its files: `match-results`. */
  readonly name: string;
  /** What the rows are, in a sentence. */
  readonly title: string;
  readonly columns: readonly Column[];
  /** One cell per column; null where there is no value. */
  readonly rows: readonly (readonly Cell[])[];
}

/** A column: its name and the kind of its cells. */
export interface Column {
  readonly name: string;
  /** Fixed beforehand rather than guessed from the rows, so that the schema is the same for every run. */
  readonly type: "text" | "integer" | "number";
  /** Numbers that are shares, 0 to 1: a page shows them as per cent. */
  readonly share?: true;
}

/** The content of a field: text, or a number of the column's kind. */
export type Cell = string | number | null;
