import type { NamedArrays, SavedArrays } from "../tables.ts";

/**
 * The rows of a table that differ from their initial state, as two arrays to be saved: `indices` (uint32, row numbers in
 * increasing order) and `values` (float32, [rows, width]).
 *
 * `table` is [rows, width] with at most 2^32 rows; `initial` is the initial value of every entry.
 */
export function saveSparse(table: Float32Array, width = 1, initial = 0): SavedArrays {
  const usual = Math.fround(initial);
  let rows = new Uint32Array(1024);
  let count = 0;
  for (
    let row = nextChanged(table, 0, width, usual);
    row >= 0;
    row = nextChanged(table, row + 1, width, usual)
  ) {
    if (count === rows.length) {
      const longer = new Uint32Array(2 * count);
      longer.set(rows);
      rows = longer;
    }
    rows[count++] = row;
  }
  const indices = rows.slice(0, count);
  const values = new Float32Array(count * width);
  for (let at = 0; at < count; at++)
    for (let i = 0; i < width; i++) values[at * width + i] = table[indices[at]! * width + i]!;
  return new Map([
    ["indices", { shape: [count], data: indices }],
    ["values", { shape: width === 1 ? [count] : [count, width], data: values }],
  ]);
}

/** The first row from `row` on with an entry other than `usual`, or -1. */
function nextChanged(table: Float32Array, row: number, width: number, usual: number): number {
  for (let i = row * width; i < table.length; i++) if (table[i]! !== usual) return Math.floor(i / width);
  return -1;
}

/**
 * Writes saved rows to their places and leaves all other rows as they are: the inverse of `saveSparse` on a table in its
 * initial state. An empty map writes nothing. Throws RangeError, before anything is written, if the arrays do not fit.
 */
export function loadSparse(saved: NamedArrays, table: Float32Array, width = 1): void {
  if (saved.size === 0) return;
  const indices = saved.get("indices");
  const values = saved.get("values");
  if (!(indices instanceof Uint32Array) || !(values instanceof Float32Array))
    throw new RangeError("expected the arrays indices (uint32) and values (float32)");
  if (indices.length * width !== values.length)
    throw new RangeError(`${values.length} values for ${indices.length} rows of ${width}`);
  const rows = table.length / width;
  for (const index of indices)
    if (index >= rows) throw new RangeError(`row ${index} is not in a table of ${rows} rows`);
  for (let at = 0; at < indices.length; at++) {
    const to = indices[at]! * width;
    for (let i = 0; i < width; i++) table[to + i] = values[at * width + i]!;
  }
}
