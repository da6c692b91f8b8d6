/** The rows of a table as lines with aligned columns, two spaces between them. The first row names the columns. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const texts = (row: readonly string[], column: number) =>
    // Names are aligned to the left, numbers to the right.
    /^(agent|against|stage)$/.test(rows[0]![column]!)
      ? row[column]!.padEnd(widths[column]!)
      : row[column]!.padStart(widths[column]!);
  return rows.map((row) =>
    row
      .map((_, column) => texts(row, column))
      .join("  ")
      .trimEnd(),
  );
}
