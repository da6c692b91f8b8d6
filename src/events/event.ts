/**
 * Facts about a run. They are told, never asked for: an observer may be slow or fail without touching the data.
 *
 * `metrics.jsonl` holds one per line, with the time added; it is the source of reports.
 */
export type RunEvent =
  | RunStarted
  | RunEnded
  | StageProgress
  | GamesPlayed
  | TrainingStep
  | MatchResult
  | CheckpointSaved
  | ValueDrift
  | NamedWeights
  | Note;

interface OfStage {
  /** The stage's name in the experiment file. */
  readonly stage: string;
}

/** The first event of a run, and again of each resumption. */
export interface RunStarted {
  readonly type: "run-started";
  readonly name: string;
  readonly seed: number;
  readonly workers: number;
  readonly resumed: boolean;
  /** The engine that computes the nets, as printed: `onnx on cpu, 2 threads`; empty where no net is computed. */
  readonly compute: string;
}

/** The last event of a run, or of a part of it. */
export interface RunEnded {
  readonly type: "run-ended";
  readonly outcome: "finished" | "interrupted" | "failed";
  readonly message?: string;
}

/** How far a stage is. */
export interface StageProgress extends OfStage {
  readonly type: "progress";
  readonly done: number;
  readonly total: number;
  /** What is counted: `games`, `steps`. */
  readonly unit: string;
  /** The stage's latest figure for the progress line: `score 12,345`. */
  readonly latest?: string;
}

/** A number of games that a source or learner has finished since its last such event. */
export interface GamesPlayed extends OfStage {
  readonly type: "games";
  /** Games finished so far, these included. */
  readonly done: number;
  readonly count: number;
  /** Mean, least and greatest return of seat 0 over these games. */
  readonly mean: number;
  readonly min: number;
  readonly max: number;
  /** Mean length in plies, chance plies included. */
  readonly plies: number;
}

/** Optimiser steps since the last such event. */
export interface TrainingStep extends OfStage {
  readonly type: "training";
  /** Steps done so far. */
  readonly step: number;
  /** Mean loss over these steps, and its named parts. */
  readonly loss: number;
  readonly parts: Readonly<Record<string, number>>;
  /** The learning rate now. */
  readonly rate: number;
}

/** The result of one round of evaluation matches. */
export interface MatchResult extends OfStage {
  readonly type: "match";
  /** Where on the learning curve: how much had been learned, in `unit`. */
  readonly learned: number;
  readonly unit: "games" | "steps";
  readonly agents: readonly AgentResult[];
}

/** One agent's games in a match. */
export interface AgentResult {
  /** The agent's name in the experiment file. */
  readonly agent: string;
  readonly games: number;
  /** Mean return with its 95% interval. */
  readonly mean: number;
  readonly interval: readonly [number, number];
  /** Every game's return, in game order. */
  readonly returns: readonly number[];
  /** Further facts of every game, in game order: for 2048 `maxTile`. */
  readonly facts: Readonly<Record<string, readonly number[]>>;
}

/** A checkpoint is on disk: from here on it survives a kill. */
export interface CheckpointSaved extends OfStage {
  readonly type: "checkpoint";
  readonly learned: number;
  readonly unit: "games" | "steps";
  /** Path relative to the run's folder. */
  readonly path: string;
}

/** The monitor against values that run away: V(start) beside the running mean score. */
export interface ValueDrift extends OfStage {
  readonly type: "value-drift";
  readonly learned: number;
  readonly startValue: number;
  readonly meanReturn: number;
  readonly ratio: number;
}

/** The weights of a value function that has few, each with a name. */
export interface NamedWeights extends OfStage {
  readonly type: "weights";
  readonly learned: number;
  readonly unit: "games";
  readonly names: readonly string[];
  /** In the order of the names. */
  readonly values: readonly number[];
}

/** Something a person should read. */
export interface Note {
  readonly type: "note";
  readonly level: "info" | "warning";
  readonly message: string;
  readonly stage?: string;
}

/** An event as it stands in `metrics.jsonl`. */
export type RecordedEvent = RunEvent & {
  /** UTC, ISO 8601. */
  readonly time: string;
  /** Wall seconds that the run has been at work, earlier parts of a resumed run included. */
  readonly elapsed: number;
};
