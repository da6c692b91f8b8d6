/** The sum of numbers, added in their order; 0 if there are none. */
export function sumOf(numbers: Float32Array | Float64Array | readonly number[]): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}
