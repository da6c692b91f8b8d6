import type { Table } from "./table.ts";

/**
 * A table as CSV by RFC 4180, with a header line. Lines end with CRLF; fields with a comma, quote or line break stand in
 * quotes, and their quotes are doubled. Numbers have JavaScript's shortest exact form; null and NaN are empty fields.
 */
export function encodeCsv(table: Pick<Table, "columns" | "rows">): string {
  const lines = [table.columns.map((column) => column.name), ...table.rows];
  return lines.map((cells) => `${cells.map(field).join()}\r\n`).join("");
}

function field(cell: string | number | null): string {
  const text = cell === null || Number.isNaN(cell) ? "" : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
