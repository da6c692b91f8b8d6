import { weightNumbers } from "./indexing.ts";
import type { TupleLookup } from "./tuple-lookup.ts";
import { loadSparse, saveSparse } from "./sparse-table.ts";
import type { NamedArrays, SavedArrays } from "../tables.ts";

/**
 * The rows of a table [weights, width] that differ from their initial state, as arrays to be saved: `weights` (uint32), the
 * numbers of the weights (see `weightNumbers`; the numbers of a stage follow those of the stage before), and `values`
 * (float32). `initial` is the initial entry of the stages that `Stages.initialised` counts; other entries began at 0.
 */
export function saveStages(
  { plan, stages }: TupleLookup,
  table: Float32Array,
  width: number,
  initial = 0,
): SavedArrays {
  const numbers = weightNumbers(plan);
  const saved = Array.from({ length: stages.count }, (_, stage) => {
    const from = stage * stages.size;
    const rows = saveSparse(
      table.subarray(from * width, (from + stages.size) * width),
      width,
      stage < stages.initialised ? initial : 0,
    );
    const indices = rows.get("indices")!.data as Uint32Array;
    numbers.numbered(indices);
    if (stage > 0) for (let i = 0; i < indices.length; i++) indices[i]! += from;
    return { indices, values: rows.get("values")!.data as Float32Array };
  });
  const all = saved.length === 1 ? saved[0]! : joined(saved);
  const count = all.indices.length;
  return new Map([
    ["weights", { shape: [count], data: all.indices }],
    ["values", { shape: width === 1 ? [count] : [count, width], data: all.values }],
  ]);
}

/** The inverse of `saveStages`, on a table in its initial state. Throws RangeError if the arrays do not fit. */
export function loadStages(
  { plan, stages }: TupleLookup,
  saved: NamedArrays,
  table: Float32Array,
  width: number,
): void {
  if (saved.size === 0) return;
  const weights = saved.get("weights");
  const values = saved.get("values");
  if (!(weights instanceof Uint32Array) || !(values instanceof Float32Array))
    throw new RangeError("expected the arrays weights (uint32) and values (float32)");
  const numbers = weightNumbers(plan);
  const indices = weights.slice();
  for (let i = 0; i < indices.length; i++) indices[i]! %= stages.size;
  numbers.placed(indices);
  for (let i = 0; i < indices.length; i++) indices[i]! += weights[i]! - (weights[i]! % stages.size);
  loadSparse(
    new Map<string, Uint32Array | Float32Array>([
      ["indices", indices],
      ["values", values],
    ]),
    table,
    width,
  );
}

function joined(parts: readonly { readonly indices: Uint32Array; readonly values: Float32Array }[]) {
  const indices = new Uint32Array(parts.reduce((sum, part) => sum + part.indices.length, 0));
  const values = new Float32Array(parts.reduce((sum, part) => sum + part.values.length, 0));
  let [at, to] = [0, 0];
  for (const part of parts) {
    indices.set(part.indices, at);
    values.set(part.values, to);
    at += part.indices.length;
    to += part.values.length;
  }
  return { indices, values };
}
