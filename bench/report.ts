/** The results of a bench. */
export interface BenchReport {
  /** The bench's name. */
  readonly bench: string;
  readonly rows: readonly BenchRow[];
}

/** One figure of a bench. */
export interface BenchRow {
  readonly case: string;
  readonly metric: string;
  readonly value: number;
  readonly unit: string;
  /** The 95% interval of the value, if the value is an estimate. */
  readonly interval?: readonly [number, number];
  /** What the figure is compared with, measured in the same run: ratio = value / peer's value. */
  readonly peer?: { readonly name: string; readonly value: number; readonly ratio: number };
}

/** The middle one of some figures; the mean of the middle two of an even number. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** A row with a peer. */
export function compared(
  row: Omit<BenchRow, "peer">,
  peer: { readonly name: string; readonly value: number },
): BenchRow {
  return { ...row, peer: { ...peer, ratio: row.value / peer.value } };
}
