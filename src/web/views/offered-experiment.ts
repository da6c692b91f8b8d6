/** An experiment that can be started from the page. */
export interface OfferedExperiment {
  /** What a user types for it: its name if it comes with ludoflow, else its path from the working directory. */
  readonly given: string;
  readonly name: string;
  readonly description: string;
  readonly cost: string;
  /** What it needs beside its file, in words: `Needs weights: ...`; empty: nothing. */
  readonly needs: string;
  readonly shipped: boolean;
}
