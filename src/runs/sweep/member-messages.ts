import type { RunOutcome } from "../../graph/run-experiment.ts";

/** What the process of a run is sent, once. */
export interface MemberJob {
  /** The file of the sweep, and the settings of this run as `--set` takes them; paths in them are relative to `from`. */
  readonly file: string;
  readonly set: readonly string[];
  readonly from: string;
  /** The folder of the run. If it holds a part of the run, the run goes on. */
  readonly folder: string;
  readonly workers: number;
  /** Whether programs and plug-ins may run though the user's earlier permission does not cover them. */
  readonly allowCode: boolean;
}

/** What the process of a run tells. */
export type MemberMessage =
  | { readonly type: "progress"; /** 0 to 1. */ readonly share: number }
  | { readonly type: "ended"; readonly outcome: RunOutcome["outcome"]; readonly message?: string };
