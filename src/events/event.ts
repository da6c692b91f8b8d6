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
  | MatchEffort
  | PolicyStatistics
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
  /** Length of the shortest and of the longest of these games; absent in runs of before this was told. */
  readonly shortest?: number;
  readonly longest?: number;
  /** Positions that players asked nets about; absent where they asked nothing. */
  readonly evaluations?: number;
  /** How many of these were answered from a cache; absent where there is none. */
  readonly cacheHits?: number;
  /** Mean entropy, in nats, of the policies that these games give to learn from; absent where they give none. */
  readonly entropy?: number;
  /** What players expected and what they earned; absent in one-player games and where players have no nets. */
  readonly forecasts?: Forecasts;
}

/**
 * What players expected to earn from their decisions on, beside what they earned: sums over decisions, in bins of equal
 * width by what was expected.
 */
export interface Forecasts {
  /** The lower end of the first bin and the upper end of the last. */
  readonly bounds: readonly [number, number];
  readonly decisions: readonly number[];
  readonly expected: readonly number[];
  readonly earned: readonly number[];
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
  /** Who beat whom; absent in one-player games. */
  readonly contest?: Contest;
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

/**
 * What the games of a match in a one-player game took: told after its result, and apart from it, since a result is a
 * function of the experiment and the seed, and time is not.
 */
export interface MatchEffort extends OfStage {
  readonly type: "effort";
  /** As in the match's result. */
  readonly learned: number;
  readonly unit: "games" | "steps";
  readonly agents: readonly AgentEffort[];
}

/**
 * What each of an agent's games in a match took, in game order; not-a-number where that is not known (null in
 * `metrics.jsonl`): in games that an earlier part of a resumed run has played.
 */
export interface AgentEffort {
  readonly agent: string;
  /** Decisions of the agent. */
  readonly decisions: readonly number[];
  /** Positions that its search asked a net about. */
  readonly evaluations: readonly number[];
  /**
   * Processor seconds of the thread that played; not-a-number too for agents whose nets are computed elsewhere, by all
   * games together.
   */
  readonly seconds: readonly number[];
}

/**
 * What a match in a game of several players came to.
 *
 * Infinite numbers (Elo of a clean sweep) are null in `metrics.jsonl` and read as NaN.
 */
export interface Contest {
  readonly players: number;
  /** Games that count. */
  readonly games: number;
  /** Different ones among them: sequences of moves. Repeats make intervals narrower than they should be. */
  readonly distinct: number;
  readonly standings: readonly Standing[];
  /** Every two agents that have met. */
  readonly pairs: readonly PairScore[];
  /** By seat, whoever sat there: the win share of the seat. */
  readonly seats: readonly ShareOfGames[];
  /** Who won among the same agents at the table, whatever seats they had; absent in runs of before this was told. */
  readonly lineups?: readonly LineupShares[];
  /** Games broken off by a player that could not go on, by agent; agents without any are left out. */
  readonly failures: readonly {
    readonly agent: string;
    readonly games: number;
    /** What the first of them said. */
    readonly message: string;
  }[];
  /** Where the number of games was left to a sequential test. */
  readonly test?: {
    readonly elo0: number;
    readonly elo1: number;
    readonly alpha: number;
    readonly beta: number;
    /** The log likelihood ratio of elo1 to elo0, and the bounds that end the test. */
    readonly ratio: number;
    readonly bounds: readonly [number, number];
    readonly verdict: "elo0" | "elo1" | "undecided";
  };
}

/** A value with its 95% interval, over a number of games. */
export interface ShareOfGames {
  readonly games: number;
  readonly value: number;
  readonly interval: readonly [number, number];
}

/** One agent in a contest. */
export interface Standing {
  readonly agent: string;
  /** Share of its games won, ties shared among the winners, its seats added up; Wilson's interval. */
  readonly wins: ShareOfGames;
  /** The win share that its number of seats would give it among equals. */
  readonly fair: number;
  /** Strength by Bradley and Terry over all pairs of agents at a table, as Elo about their mean; bootstrap interval. */
  readonly rating: { readonly value: number; readonly interval: readonly [number, number] };
  /** By seat: its win share when it sat there (games 0 and value 0 where it never did), that seat's share alone. */
  readonly bySeat: readonly ShareOfGames[];
}

/** The games of a contest between the same agents. */
export interface LineupShares {
  readonly games: number;
  readonly agents: readonly {
    readonly agent: string;
    /** How many seats it had in each of these games. */
    readonly seats: number;
    /** Share of these games won, ties shared among the winners, its seats added up; Wilson's interval. */
    readonly wins: ShareOfGames;
  }[];
}

/** What one agent scored against another. */
export interface PairScore {
  readonly agent: string;
  readonly against: string;
  /** Share of seats of the other that its own seats were ahead of, ties as half; the mean over games, Wilson's interval. */
  readonly score: ShareOfGames;
  /** The same as a difference in Elo. */
  readonly elo: { readonly value: number; readonly interval: readonly [number, number] };
}

/** What a policy net said in the games of one round, by the number of plies played before. */
export interface PolicyStatistics extends OfStage {
  readonly type: "policy-statistics";
  /** How much had been learned, in `unit`. */
  readonly learned: number;
  readonly unit: "games" | "steps";
  /** The agent whose net and whose decisions are meant, and who sat in the other seats where it did not itself. */
  readonly agent: string;
  readonly opponent?: string;
  readonly games: number;
  /** The numbers of moves k that `shares` are of. */
  readonly tops: readonly number[];
  /** In order; plies at which the agent never decided are left out. */
  readonly plies: readonly PolicyAtPly[];
}

/** What a policy net said after so many plies, over the games of a round. */
export interface PolicyAtPly {
  readonly ply: number;
  /** Decisions that the figures are over. */
  readonly decisions: number;
  /** Number of legal moves. */
  readonly legal: Spread;
  /** For each of the `tops` k: the probability of the k likeliest legal moves together, the mean. */
  readonly shares: readonly number[];
  /** Place of the move played when legal moves are ordered by the net's probability, 1 for the likeliest. */
  readonly rank: Spread;
  /** Decisions in which the likeliest move was played. */
  readonly first: number;
  /** Entropy of the policy over the legal moves, in nats. */
  readonly entropy: Spread;
}

/** Numbers in short: their mean, and the 10%, 50% and 90% quantiles. */
export interface Spread {
  readonly mean: number;
  readonly low: number;
  readonly median: number;
  readonly high: number;
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
  /** What perfect play earns, where the game knows it. */
  readonly optimum?: number;
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
