import type { Random } from "../../random.ts";
import { firstBest } from "./decision-buffer.ts";
import { drawIndex } from "./draw-index.ts";

/**
 * Draws an index in proportion to w^(1/T), in which the greatest weight counts as 1, so that no power overflows. With
 * T = 0 it is the first of the greatest weights, without a draw; weights that are all 0 are equally likely. Overwrites the
 * weights.
 */
export function drawByTemperature(weights: Float64Array, temperature: number, random: Random): number {
  const best = firstBest(weights);
  if (temperature === 0) return best;
  const most = weights[best]!;
  let sum = 0;
  for (let i = 0; i < weights.length; i++)
    sum += weights[i] = most > 0 ? (weights[i]! / most) ** (1 / temperature) : 1;
  return drawIndex(weights, weights.length, sum, random);
}
