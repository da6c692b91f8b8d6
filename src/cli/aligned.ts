import { padEndTo, columnsOf } from "./text-columns.ts";

/** The rows of a table as lines with aligned columns, two spaces between them. The first row names the columns. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => columnsOf(row[column]!))));
  const texts = (row: readonly string[], column: number) =>
    // Names are aligned to the left, numbers to the right.
    /^(agent|against|joiner|stage|run|state|last result|setting|baseline|by|settings|value|key)$/.test(
      rows[0]![column]!,
    )
      ? padEndTo(row[column]!, widths[column]!)
      : row[column]!.padStart(widths[column]!);
  return rows.map((row) =>
    row
      .map((_, column) => texts(row, column))
      .join("  ")
      .trimEnd(),
  );
}
