import type { Random } from "../../random.ts";

/** The node that every tree starts from. */
export const ROOT = 0;

/** No node, no edge, no place in an array: the -1 of all trees. */
export const NONE = -1;

/** A tree with this many edges (8 bytes and more each) grows no more: simulations then end at its leaves. */
export const MOST_EDGES = 1 << 25;

/** The larger array, after the contents of the smaller one that it replaces have been copied into it. */
export function widened<A extends Uint8Array | Int16Array | Int32Array | Float32Array | Float64Array>(
  from: A,
  into: A,
): A {
  into.set(from);
  return into;
}

/**
 * Draws one of `count` outcomes of a chance node, which lie side by side from `first` on; returns its place.
 *
 * `probability` sums to 1 over these outcomes. Rounding errors go to the last outcome. One draw.
 */
export function drawOutcome(
  probability: Float32Array | Float64Array,
  first: number,
  count: number,
  random: Random,
): number {
  const last = first + count - 1;
  let left = random.float();
  for (let outcome = first; outcome < last; outcome++) {
    left -= probability[outcome]!;
    if (left < 0) return outcome;
  }
  return last;
}
