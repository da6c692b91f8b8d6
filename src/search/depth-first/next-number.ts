const bits = new DataView(new ArrayBuffer(8));

/** The greatest number below a finite one. */
export function numberBelow(value: number): number {
  if (value === 0) return -Number.MIN_VALUE;
  bits.setFloat64(0, value);
  bits.setBigInt64(0, bits.getBigInt64(0) + (value > 0 ? -1n : 1n));
  return bits.getFloat64(0);
}

/** The least number above a finite one. */
export const numberAbove = (value: number): number => -numberBelow(-value);
