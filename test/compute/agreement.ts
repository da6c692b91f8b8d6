import type { Random } from "../../src/random.ts";

/** The greatest difference between two arrays, relative to the greatest size in the second. */
export function relativeError(actual: Float32Array, expected: Float32Array): number {
  let difference = actual.length === expected.length ? 0 : Infinity;
  let size = 1e-30;
  for (const [i, value] of expected.entries()) {
    const error = Math.abs(actual[i]! - value);
    // A NaN on one side only is a disagreement.
    if (Number.isNaN(error) && !Object.is(actual[i], value)) return Infinity;
    difference = Math.max(difference, error);
    size = Math.max(size, Math.abs(value));
  }
  return difference / size;
}

/** `size` draws from the standard normal distribution. */
export function normals(random: Random, size: number): Float32Array {
  return Float32Array.from({ length: size }, () => random.normal());
}
