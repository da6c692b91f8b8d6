import type { Random } from "../../random.ts";

/** Draws an index in proportion to the first `count` weights, whose sum is `sum` > 0. One draw. */
export function drawIndex(weights: Float64Array, count: number, sum: number, random: Random): number {
  let left = random.float() * sum;
  let last = 0;
  for (let i = 0; i < count; i++) {
    const weight = weights[i]!;
    if (weight <= 0) continue;
    if (left < weight) return i;
    left -= weight;
    last = i;
  }
  // Rounding errors can leave a small rest after the last weight.
  return last;
}
