import type { Random } from "../../random.ts";

/**
 * Draws from the symmetric Dirichlet distribution with concentration `alpha` > 0 into `out`: gamma draws of shape
 * `alpha`, divided by their sum.
 *
 * Logarithms are needed, because with a small alpha (.02 for Blokus) most gamma draws are below the least double.
 */
export function drawDirichlet(alpha: number, random: Random, out: Float64Array): void {
  let greatest = -Infinity;
  for (let i = 0; i < out.length; i++) {
    out[i] = logGamma(alpha, random);
    if (out[i]! > greatest) greatest = out[i]!;
  }
  let sum = 0;
  for (let i = 0; i < out.length; i++) sum += out[i] = Math.exp(out[i]! - greatest);
  for (let i = 0; i < out.length; i++) out[i]! /= sum;
}

/**
 * Draws the logarithm of a gamma variate with this shape and scale 1 (Marsaglia and Tsang 2000). Below shape 1 it
 * follows their section 6: a draw of shape + 1 times U^(1/shape).
 */
export function logGamma(shape: number, random: Random): number {
  if (shape < 1) return logGamma(shape + 1, random) + Math.log(1 - random.float()) / shape;
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = random.normal();
    const v = (1 + c * x) ** 3;
    if (v <= 0) continue;
    const u = 1 - random.float();
    if (Math.log(u) < 0.5 * x * x + d - d * v + d * Math.log(v)) return Math.log(d * v);
  }
}
