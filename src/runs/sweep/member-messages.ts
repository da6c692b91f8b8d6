import type { RunOutcome } from "../../graph/run-experiment.ts";

/** The job that the process of a run receives, once. */
export interface MemberJob {
  /** The file of the sweep, and the settings of this run as `--set` takes them; paths in them are relative to `from`. */
  readonly file: string;
  readonly set: readonly string[];
  readonly from: string;
  /** The folder of the run. If it holds a part of the run, the run continues. */
  readonly folder: string;
  readonly workers: number;
  /** Whether programs and plug-ins may run though the user's earlier permission does not cover them. */
  readonly allowCode: boolean;
}

/** What the process of a run reports. */
export type MemberMessage =
  | { readonly type: "progress"; /** 0 to 1. */ readonly share: number }
  | { readonly type: "ended"; readonly outcome: RunOutcome["outcome"]; readonly message?: string };
