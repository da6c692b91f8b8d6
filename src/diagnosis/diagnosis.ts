/** Why something does not learn: what is seen, what it means, and what to change. */
export interface Diagnosis {
  /** Its anchor in docs/it-does-not-learn.md, in kebab-case. */
  readonly name: DiagnosisName;
  /** The stage, or the path in the experiment file. */
  readonly where: string;
  /** What is seen, with figures, and what it means. */
  readonly says: string;
  /** What to change, with the name of the option. */
  readonly cure: string;
}

/** What a detector finds: a diagnosis without its name and its place. */
export type Finding = Pick<Diagnosis, "says" | "cure">;

/** The names of all diagnoses, in the order in which the page explains them. */
export const DIAGNOSES = [
  "repeated-games",
  "one-move-search",
  "blind-net",
  "frozen-net",
  "uniform-policy",
  "collapsed-policy",
  "empty-targets",
  "policy-behind-values",
  "noisy-teacher",
  "values-of-noise",
  "always-draws",
  "one-sided-results",
  "forced-moves",
  "stale-buffer",
  "over-reading",
  "starved-trainer",
  "diverging-rate",
  "loses-to-random",
  "below-expected",
] as const;

/** The name of a diagnosis. */
export type DiagnosisName = (typeof DIAGNOSES)[number];
