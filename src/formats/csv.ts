import type { Table } from "./table.ts";

/**
 * A table as CSV by RFC 4180, with a header line. Lines end with CRLF; fields with a comma, quote or line break are in
 * quotes, and their quotes are doubled. Numbers have JavaScript's shortest exact form; null and numbers that are not finite are empty fields.
 */
export function encodeCsv(table: Pick<Table, "columns" | "rows">): string {
  const lines = [table.columns.map((column) => column.name), ...table.rows];
  return lines.map((cells) => `${cells.map(field).join()}\r\n`).join("");
}

function field(cell: string | number | null): string {
  const text = cell === null || (typeof cell === "number" && !Number.isFinite(cell)) ? "" : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A row of a CSV text. */
export interface CsvRow {
  /** The number of the line that it begins on, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

/**
 * The rows of a CSV text by RFC 4180, the header among them. Lines end with LF or CRLF; empty lines are left out. A quote that
 * is not closed closes at the end of the text.
 */
export function decodeCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  let fields: string[] = [];
  let field = "";
  let [isQuoted, wasQuoted] = [false, false];
  let [line, first] = [1, 1];
  const endField = () => {
    fields.push(field);
    field = "";
    wasQuoted = false;
  };
  const endRow = () => {
    if (!wasQuoted && field.endsWith("\r")) field = field.slice(0, -1);
    endField();
    if (fields.length > 1 || fields[0] !== "") rows.push({ line: first, fields });
    fields = [];
    first = line + 1;
  };
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (isQuoted && character === '"' && text[i + 1] === '"') {
      field += '"';
      i++;
    } else if (character === '"' && (isQuoted || (field === "" && !wasQuoted))) {
      isQuoted = !isQuoted;
      wasQuoted = true;
    } else if (isQuoted || (character !== "," && character !== "\n")) {
      // A quoted field at the end of a line may be followed by the CR of its line break.
      if (isQuoted || !wasQuoted || character !== "\r") field += character;
    } else if (character === ",") endField();
    else endRow();
    if (character === "\n") line++;
  }
  if (field !== "" || wasQuoted || fields.length > 0) endRow();
  return rows;
}
