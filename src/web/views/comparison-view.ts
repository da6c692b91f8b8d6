import type { FigureShown } from "./run-views.ts";

/** An estimate of a comparison; ends of its interval that are not known are null. */
interface ShownEstimate {
  readonly group: string;
  readonly value: number;
  readonly interval: readonly [number | null, number | null];
}

/** Runs side by side. Groups are runs with equal settings; the first one is the baseline. */
export interface ComparisonView {
  /** What was found, with intervals, one sentence for each group beside the baseline. */
  readonly sentences: readonly string[];
  readonly runs: readonly {
    readonly path: string;
    readonly name: string;
    readonly group: string;
    readonly seed: number;
    readonly state: string;
  }[];
  readonly groups: readonly string[];
  /** Settings that differ, with the values of the groups as text. */
  readonly settings: readonly { readonly path: string; readonly values: readonly string[] }[];
  /** Number of settings, those that are equal included. */
  readonly settingsInAll: number;
  readonly results: readonly {
    readonly title: string;
    readonly measure: "share won" | "mean score";
    readonly unit: string;
    readonly results: readonly (ShownEstimate & {
      readonly learned: number;
      readonly runs: number;
      readonly games: number;
      readonly over: "seeds" | "games";
    })[];
    readonly differences: readonly (ShownEstimate & { readonly baseline: string; readonly method: string })[];
  }[];
  readonly figures: readonly FigureShown[];
  /** What a user types for the same. */
  readonly command: string;
}
