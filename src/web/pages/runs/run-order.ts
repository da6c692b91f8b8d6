import type { RunRow } from "../../views/run-views.ts";

/** The orders in which runs can be listed, and their names. */
export const runOrders = [
  ["newest", "Newest first"],
  ["name", "Name"],
  ["game", "Game"],
  ["progress", "Progress"],
  ["last", "Last result"],
  ["best", "Best result"],
  ["time", "Time at work"],
] as const;
/** The name of an order, as addresses have it. */
export type RunOrder = (typeof runOrders)[number][0];

/** Runs in an order; those that have nothing to be ordered by come last, and equals stay as they were. */
export function ordered(rows: readonly RunRow[], order: RunOrder): readonly RunRow[] {
  switch (order) {
    case "newest":
      return rows;
    case "name":
    case "game":
      return rows.toSorted((a, b) => a[order].localeCompare(b[order], "en", { numeric: true }));
    default: {
      const key = numbers[order];
      return rows.toSorted((a, b) => (key(b) ?? -Infinity) - (key(a) ?? -Infinity) || 0);
    }
  }
}

const numbers: Readonly<
  Record<Exclude<RunOrder, "newest" | "name" | "game">, (row: RunRow) => number | undefined>
> = {
  progress: ({ progress }) => progress?.share,
  last: ({ result }) => result?.value,
  best: ({ curve, result }) => result && Math.max(result.value, ...curve.map(([, value]) => value)),
  time: ({ elapsed }) => elapsed,
};
