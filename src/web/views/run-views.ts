import type { FleetMachine } from "../../events/flow-event.ts";
import type { Figure } from "../../figures/figure.ts";
import type { RunCondition } from "../../runs/run-condition.ts";

/** How far a run is. */
export interface ShownProgress {
  /** Of the whole run, 0 to 1. */
  readonly share: number;
  /** The stage at work, with its count. */
  readonly now?: ShownCount & { readonly stage: string };
}

/** What a stage has done. */
export interface ShownCount {
  readonly done: number;
  readonly total: number;
  readonly unit: string;
}

/** A point of a learning curve with its 95% interval; null: no interval. */
export type CurvePointShown = readonly [x: number, value: number, low: number | null, high: number | null];

/** The newest result of a run. */
export interface ShownResult {
  readonly agent: string;
  readonly stage: string;
  readonly measure: "share won" | "mean score";
  readonly value: number;
  /** Ends that are not known are null. */
  readonly interval: readonly [number | null, number | null];
  readonly learned: number;
  readonly unit: string;
}

/** A run in the list of runs. */
export interface RunRow {
  /** Below the folder that is served, with `/` between its parts: it names the run in addresses. */
  readonly path: string;
  readonly condition: RunCondition;
  /** Why it failed, or what is damaged. */
  readonly message?: string;
  readonly name: string;
  readonly id: string;
  readonly game: string;
  readonly seed?: number;
  /** UTC, ISO 8601; `seen` is the last sign of life of a run on which no process is at work. */
  readonly started?: string;
  readonly seen?: string;
  /** Seconds at work when this was sent; while a process is at work it is not sent anew for each second. */
  readonly elapsed?: number;
  readonly progress?: ShownProgress;
  /** Rounded to what is shown; `atMost` if a test may end a match earlier. */
  readonly secondsLeft?: number;
  readonly atMost?: true;
  readonly result?: ShownResult;
  /** The curve of the result's agent in its stage. */
  readonly curve: readonly CurvePointShown[];
  /** The settings in which it differs from the other runs of its name: `lambda 0.5`. */
  readonly differs: string;
}

/** What has changed in the list of runs since the last update; all of it at first. */
export interface RunsUpdate {
  readonly folder: string;
  /** The paths of all runs, as they are listed; absent if they are as before. */
  readonly order?: readonly string[];
  /** Runs that are new, or of which something has changed. */
  readonly runs: readonly RunRow[];
}

/** The head of a run's page. */
export interface RunHead extends Omit<RunRow, "curve"> {
  /** The result in a sentence, as markup with `b`, `i` and `small` alone. */
  readonly sentence: string;
  readonly workers?: number;
  /** What computes the nets; empty if no net is computed. */
  readonly compute: string;
  /** True, or the reasons why the run is no function of its file. */
  readonly reproducible: true | readonly string[];
  /** The newest checkpoint. */
  readonly saved?: { readonly learned: number; readonly unit: string };
  /** Relative to the folder in which the server was started. */
  readonly folder: string;
  /** Games that are stored, of all stages. */
  readonly games: number;
  /** Why it does not learn as it should, as far as it is sure. */
  readonly diagnoses: readonly DiagnosisShown[];
}

/** A diagnosis of a run. */
export interface DiagnosisShown {
  readonly name: string;
  readonly stage: string;
  readonly says: string;
  readonly cure: string;
  /** The place in the documentation that explains it. */
  readonly explained: string;
}

/** A figure of a run, and the heading of the report's section that has it. */
export interface FigureShown {
  readonly section: string;
  readonly figure: Figure;
  /** Rows of its table; the figure has at most the last 100. */
  readonly rows: number;
}

/** An event of a run, for the list of events. */
export interface EventLine {
  /** Its place among all events of the run. */
  readonly order: number;
  /** UTC, ISO 8601, and seconds at work. */
  readonly time: string;
  readonly elapsed: number;
  /** The stage, or `run`. */
  readonly of: string;
  readonly text: string;
  readonly level: "plain" | "warning" | "bad";
}

/** A stage in the graph. */
export interface GraphNode {
  readonly name: string;
  readonly use: string;
  /** Its place from left to right: the length of the longest way to it. */
  readonly column: number;
}

/** A stream from a stage to its reader. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** What flows: `games`, `weights`. */
  readonly kind: string;
}

/** The graph of an experiment. */
export interface GraphView {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** The way back of weights: from what learns to what plays with them. */
  readonly back: readonly { readonly from: string; readonly to: string; readonly net: string }[];
}

/** What a stage did in the window of time. */
export interface StageNow {
  readonly name: string;
  /** Shares of the window. */
  readonly worked: number;
  readonly waited: number;
  readonly held: number;
  /** Whether it worked for the greater part of the last interval. */
  readonly busy: boolean;
  readonly waitsFor?: string;
  readonly progress?: ShownCount;
  /** Units of `progress` a second; absent if it is not known. */
  readonly rate?: number;
  /** Positions that its players had evaluated, a second; absent if there are none. */
  readonly evaluations?: number;
  /** Items handed to its readers in the window of time, and in the whole run. */
  readonly itemsOut: number;
  readonly handed: number;
  /** Why it has failed. */
  readonly failed?: string;
  /** Games under way, and the most that may be. */
  readonly holds?: number;
  readonly bound?: number;
}

/** What the evaluator of a net did in the window of time. */
export interface EvaluatorNow {
  readonly net: string;
  readonly rowsPerSecond: number;
  readonly meanBatch: number;
  /** Number of batches by size: entry k counts those of 2^k to 2^(k+1) - 1 rows. */
  readonly sizes: readonly number[];
}

/** The machines that play for a run. */
export interface FleetNow {
  readonly joiners: number;
  readonly places: number;
  /** Games that no machine plays yet. */
  readonly waiting: number;
  readonly gamesPerSecond: number;
  /** Those with the highest rates. */
  readonly machines: readonly FleetMachine[];
  /** The machines that have left in the window of time. */
  readonly left: readonly string[];
}

/** What flows in a run now, or has flowed in the whole of a run that has ended. */
export interface FlowView {
  /** Seconds that it is about; 0: nothing was reported. */
  readonly seconds: number;
  readonly whole: boolean;
  /** What holds the run up. */
  readonly sentence: string;
  readonly stages: readonly StageNow[];
  readonly evaluators: readonly EvaluatorNow[];
  readonly buffers: readonly {
    readonly stage: string;
    readonly examples: number;
    readonly capacity?: number;
    readonly meanAge: number;
    readonly oldest: number;
  }[];
  readonly machine?: {
    readonly cores: number;
    /** Bytes. */
    readonly memory: number;
  };
  /** The machines of a fleet; absent without one. */
  readonly fleet?: FleetNow;
}

/** The working times of a run in the last minutes, or in the whole of a run that has ended. */
export interface TimelineView {
  readonly lanes?: Figure;
  /** Of the last minutes, a point each few seconds: seconds at work, cores used. */
  readonly cores: readonly (readonly [number, number])[];
  /** The same for positions evaluated a second. */
  readonly positions: readonly (readonly [number, number])[];
}

/** What does not change in a run. */
export interface RunSettings {
  /** `experiment.yaml`. */
  readonly experiment: string;
  /** `manifest.json`: key and value as text. */
  readonly manifest: readonly (readonly [string, string])[];
}
