import type { NamedArrays, SavedArrays } from "./tables.ts";

/**
 * The rows of a table that are not as they were in the beginning, as two arrays to be saved: `indices` (uint32, row
 * numbers in increasing order) and `values` (float32, [rows, width]).
 *
 * `table` is [rows, width] with at most 2^32 rows; `initial` is what each entry was in the beginning.
 */
export function saveSparse(table: Float32Array, width = 1, initial = 0): SavedArrays {
  const usual = Math.fround(initial);
  const rows = table.length / width;
  let count = 0;
  for (let row = 0; row < rows; row++) if (changed(table, row, width, usual)) count++;
  const indices = new Uint32Array(count);
  const values = new Float32Array(count * width);
  let at = 0;
  for (let row = 0; at < count; row++)
    if (changed(table, row, width, usual)) {
      indices[at] = row;
      for (let i = 0; i < width; i++) values[at * width + i] = table[row * width + i]!;
      at++;
    }
  return new Map([
    ["indices", { shape: [count], data: indices }],
    ["values", { shape: width === 1 ? [count] : [count, width], data: values }],
  ]);
}

function changed(table: Float32Array, row: number, width: number, usual: number): boolean {
  for (let i = row * width; i < (row + 1) * width; i++) if (table[i]! !== usual) return true;
  return false;
}

/**
 * Writes saved rows to their places and leaves the others alone: the inverse of `saveSparse` on a table as it was in
 * the beginning. An empty map leaves all alone. Throws RangeError where the arrays do not belong to such a table;
 * then nothing is written.
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
