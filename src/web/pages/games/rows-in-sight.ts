/** Rows that are drawn beyond those in sight. */
const MORE = 12;

/** Which rows of one height are drawn: those in sight and some around them. */
export function rowsInSight(
  scrolled: number,
  height: number,
  row: number,
  total: number,
): { readonly start: number; readonly end: number } {
  const start = Math.max(0, Math.min(total, Math.floor(scrolled / row) - MORE));
  return { start, end: Math.min(total, Math.ceil((scrolled + height) / row) + MORE) };
}
