/** A number that JSON can express; null for NaN and for infinity. */
export function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
