import { allFinite } from "../../games/all-finite.ts";
import { NumberUnsound } from "../../messages/number-unsound.ts";
import { type NamedArrays, type SavedArrays, type SharedTables, tablesBuffer } from "../tables.ts";

/** The tables of a linear model as weights, each a float64. Throws RangeError if there are not `count` of them. */
export function weightVector(tables: SharedTables, count: number): Float64Array<SharedArrayBuffer> {
  const buffer = tablesBuffer(tables);
  const expected = 8 * count;
  if (buffer.byteLength !== expected)
    throw new RangeError(`tables of ${buffer.byteLength} bytes, expected ${expected}`);
  return new Float64Array(buffer);
}

/** Tables of `count` weights from saved arrays; zeros if nothing was saved. Throws RangeError. */
export function loadWeightVector(saved: NamedArrays, count: number): SharedArrayBuffer {
  const weights = new Float64Array(new SharedArrayBuffer(8 * count));
  if (saved.size === 0) return weights.buffer;
  const stored = saved.get("weights");
  if (!(stored instanceof Float64Array) || stored.length !== count)
    throw new RangeError(`expected the array weights of ${count} numbers (float64)`);
  if (!allFinite(stored, 0, count)) throw new RangeError("expected finite numbers in the array weights");
  weights.set(stored);
  return weights.buffer;
}

/**
 * `count` weights to be saved: the inverse of `loadWeightVector`. Throws RangeError if there are not `count` of them, and NumberUnsound
 * if one is NaN or infinite.
 */
export function saveWeightVector(tables: SharedTables, count: number): SavedArrays {
  const data = weightVector(tables, count).slice();
  const unsound = data.findIndex((weight) => !Number.isFinite(weight));
  if (unsound >= 0)
    throw new NumberUnsound(
      `weight ${unsound + 1} of ${count} is ${data[unsound]}: learning has diverged; start from an earlier checkpoint, and learn with a lower rate`,
    );
  return new Map([["weights", { shape: [count], data }]]);
}
