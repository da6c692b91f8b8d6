/** A number that JSON can tell; null for none and for infinity. */
export function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
