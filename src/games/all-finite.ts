/** Whether none of the numbers from `from` on and before `to` is NaN or infinite. */
export function allFinite(numbers: ArrayLike<number>, from: number, to: number): boolean {
  let sum = 0;
  // The difference of an infinite number and itself is NaN. That of finite numbers adds nothing, so that no sum overflows.
  for (let i = from; i < to; i++) sum += numbers[i]! - numbers[i]!;
  return sum === 0;
}
