import type { Estimate } from "../stats/intervals.ts";
import type { FlowEvent } from "./flow-event.ts";

/**
 * Facts about a run. Stages emit them and never wait for observers, so an observer cannot change the results.
 *
 * `metrics.jsonl` holds one event per line, with the time added. Reports are made from it.
 */
export type RunEvent =
  | RunStarted
  | RunEnded
  | RunProgress
  | StageProgress
  | StagePace
  | GamesPlayed
  | SelfPlayFigures
  | TrainingStep
  | PoolGames
  | MatchResult
  | EqualTime
  | MatchEffort
  | VersionRatings
  | PolicyStatistics
  | PolicyAccuracy
  | SuiteResult
  | CheckpointSaved
  | ValueDrift
  | ValueErrors
  | NamedWeights
  | StageFigure
  | DiagnosisFound
  | FlowEvent
  | Note;

/** An event of which only the newest of each stage counts. Files do not keep it, but of {@link RunProgress} some. */
export type MomentaryEvent = RunProgress | StageProgress | StagePace;

/** Whether an event is about a moment only. */
export function isMomentary<E extends { readonly type: string }>(
  event: E,
): event is Extract<E, Pick<MomentaryEvent, "type">> {
  return event.type === "progress" || event.type === "pace" || event.type === "run-progress";
}

interface OfStage {
  /** The stage's name in the experiment file. */
  readonly stage: string;
}

/** The first event of a run, and of each resumption; only warnings of its preparation may come before it. */
export interface RunStarted {
  readonly type: "run-started";
  readonly name: string;
  readonly seed: number;
  readonly workers: number;
  readonly resumed: boolean;
  /** The engine that computes the nets, as printed: `onnx on cpu, 2 threads`; empty if no net is computed. */
  readonly compute: string;
}

/** The last event of a run, or of a part of it. */
export interface RunEnded {
  readonly type: "run-ended";
  readonly outcome: "finished" | "interrupted" | "failed";
  readonly message?: string;
}

/**
 * The progress of the whole run: of all known work of all stages, weighted by measured speed. It is emitted each second;
 * `metrics.jsonl` has one a minute, and in the first minute one every five seconds.
 */
export interface RunProgress {
  readonly type: "run-progress";
  /** The share of the run's time that has passed, 0 to 1. */
  readonly share: number;
  /** Estimated seconds to the end of the run; absent while the speed of a stage is not known. */
  readonly secondsLeft?: number;
  /** `secondsLeft` is an upper bound, since a sequential test may end a match earlier. */
  readonly atMost?: true;
  /** The stage now at work, with its count in its present round; of several the one with the most work left. */
  readonly now?: {
    readonly stage: string;
    readonly done: number;
    readonly total: number;
    readonly unit: string;
  };
}

/** The progress of a stage. */
export interface StageProgress extends OfStage {
  readonly type: "progress";
  readonly done: number;
  readonly total: number;
  /** The unit of `done` and `total`: `games`, `steps`. */
  readonly unit: string;
  /** The stage's latest figure for the progress line: `score 12,345`. */
  readonly latest?: string;
}

/**
 * What a stage has done in an interval, in units smaller than a game, and what it does now. It is emitted each second for
 * each stage that works or waits, and once when it comes to rest; it is for observers only and not stored.
 */
export interface StagePace extends OfStage {
  readonly type: "pace";
  /** Length of the interval. */
  readonly seconds: number;
  /** Decisions made by players in games of the stage. */
  readonly decisions: number;
  /** Positions that these players had evaluated, by nets or tables. */
  readonly evaluations: number;
  /** Optimiser steps. */
  readonly steps: number;
  /** Games under way now; absent for stages that have played none. */
  readonly games?: number;
  /** What the stage waits for, in words: `version 10 of the weights`; absent while it works. */
  readonly waitsFor?: string;
}

/** Games that a stage has finished since its previous event of this kind. */
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
  /** Length of the shortest and of the longest of these games, in plies; absent in runs of earlier versions. */
  readonly shortest?: number;
  readonly longest?: number;
  /** Number of positions that players had evaluated by nets; absent if no player has a net. */
  readonly evaluations?: number;
  /** How many of these responses came from a cache; absent if there is no cache. */
  readonly cacheHits?: number;
  /** Mean entropy of the policy targets of these games, in nats; absent if there are none. */
  readonly entropy?: number;
  /** Expected and actual returns of the players; absent in one-player games and if players have no nets. */
  readonly forecasts?: Forecasts;
}

/**
 * Expected and actual returns from each decision to the end of the game, as sums over decisions. The decisions are in bins
 * of equal width by the expected return.
 */
export interface Forecasts {
  /** The lower end of the first bin and the upper end of the last. */
  readonly bounds: readonly [number, number];
  /** By bin: the number of decisions, the sum of the expected returns, the sum of the actual returns. */
  readonly decisions: readonly number[];
  readonly expected: readonly number[];
  readonly earned: readonly number[];
}

/** What the decisions of a generation of self-play show of learning. */
export interface SelfPlayFigures extends OfStage {
  readonly type: "self-play-figures";
  /** Games played in all, this generation included. */
  readonly learned: number;
  readonly unit: "games";
  /** Games of the generation, different sequences of moves among them, and draws (equal returns of all seats). */
  readonly games: number;
  readonly distinct: number;
  readonly draws: number;
  /** Decisions with one legal move, and all decisions (openings that are not learned from left out). */
  readonly forced: number;
  readonly decisions: number;
  /** Decisions of learned searches with two or more legal moves, by third of the game: beginning, middle, end. */
  readonly thirds: readonly DecisionMeans[];
  /** The same of the teacher of a warm start, over the whole game; absent without one in this generation. */
  readonly teacher?: DecisionMeans;
}

/**
 * Means over decisions; entropies in nats. What a search does not have (priors, visits, bounded values) is NaN, and without
 * decisions all means are (null in `metrics.jsonl`).
 */
export interface DecisionMeans {
  readonly decisions: number;
  /** Mean of ln(legal moves), and of ln(tried moves). */
  readonly legal: number;
  readonly visited: number;
  /** Mean entropy of the priors of the root, noise included, and of the policy target. */
  readonly prior: number;
  readonly target: number;
  /**
   * Mean total variation distance of the policy target and the priors: over all legal moves, or, if that is less, over the tried moves
   * (each with sum 1). For a target whose weights are divided by the probabilities of being drawn, the priors are too.
   */
  readonly distance: number;
  /** Mean share of legal moves tried; mean share of the visits that the most visited move has. */
  readonly tried: number;
  readonly top: number;
  /** Mean squared difference of the search's value for the mover and the result, in units of the value's range (0 to 1). */
  readonly valueError: number;
  /** The same if the value were the mean result of this third: what a constant would reach. */
  readonly constantError: number;
  /** Decisions in drawn games; the mean squared error of the values in these, and in the others. */
  readonly drawn: number;
  readonly drawnError: number;
  readonly decidedError: number;
  /**
   * Decisions that were looked at more closely, a small share (see `value-probe.ts`): their number; the mean of the nats by which
   * the move that the search judges best is likelier by the net's values of the positions after the legal moves than by its
   * policy; the mean squared error of the net's value against the result if all players continue with its likeliest moves.
   */
  readonly probes: number;
  readonly gain: number;
  readonly greedyError: number;
}

/** Optimiser steps since the previous event of this kind. */
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

/** The games of one step of a reinforcement stage. */
export interface PoolGames extends OfStage {
  readonly type: "pool-games";
  /** Steps done so far, this one included. */
  readonly step: number;
  /** The version of the pool that the newest policy played against. */
  readonly opponent: number;
  readonly games: number;
  /** Mean score of the newest policy against it, 0 to 1: a win is 1, a draw 0.5. With several opponents: share of those that it was ahead of. */
  readonly score: number;
  /** Mean length of the games in plies, chance plies included. */
  readonly plies: number;
  /** Mean entropy of the newest policy over the legal moves at its decisions, in nats. */
  readonly entropy: number;
}

/** The result of one round of evaluation matches. */
export interface MatchResult extends OfStage {
  readonly type: "match";
  /** The position on the learning curve: the games or steps learned before, in `unit`. */
  readonly learned: number;
  readonly unit: "games" | "steps";
  readonly agents: readonly AgentResult[];
  /** Wins and ratings; absent in one-player games. */
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
  /**
   * In game order: the return in each deal, if games are matches of several deals. Absent elsewhere, and in earlier
   * versions.
   */
  readonly dealReturns?: readonly (readonly number[])[];
  /**
   * In game order: the number of the set of games with the same draws of chance. Absent if every game has its own, and in
   * earlier versions.
   */
  readonly sharedDeals?: readonly number[];
  /** Further facts of every game, in game order: for 2048 `maxTile`. */
  readonly facts: Readonly<Record<string, readonly number[]>>;
}

/**
 * The numbers of simulations that an arena with `equalTime` has fixed, and the processor times that it has measured before its
 * first game. A run that is resumed emits it once more, from its record.
 */
export interface EqualTime extends OfStage {
  readonly type: "equal-time";
  /** The agent whose time the others get. */
  readonly reference: string;
  readonly agents: readonly TimedAgent[];
}

/** What was measured of an agent, and its number of simulations. */
export interface TimedAgent {
  readonly agent: string;
  /** The simulations of its decisions in all games; absent if they are those of its settings, or if it has none. */
  readonly simulations?: number;
  /** One measurement after another. */
  readonly measured: readonly MeasuredDecisions[];
}

/** What decisions of an agent took in a measurement. */
export interface MeasuredDecisions {
  /** The simulations of a decision; absent as in `TimedAgent`. */
  readonly simulations?: number;
  /** Number of decisions. */
  readonly decisions: number;
  /** Milliseconds of processor time a decision. */
  readonly milliseconds: number;
  /** The part of them that the evaluators' threads took; absent if they compute none of its nets. */
  readonly evaluatorMilliseconds?: number;
}

/**
 * Decisions, evaluations and processor time of a match. It is an event of its own, after the result: a result is a function of
 * the experiment and the seed, and time is not. Runs of earlier versions have it in one-player games only.
 */
export interface MatchEffort extends OfStage {
  readonly type: "effort";
  /** As in the match's result. */
  readonly learned: number;
  readonly unit: "games" | "steps";
  readonly agents: readonly AgentEffort[];
}

/**
 * The effort of one agent in each of its finished games of a match, in game order, over all its seats: games that failed or are
 * disputed are left out. What is not known is NaN (null in `metrics.jsonl`), as is all of games that an earlier version has
 * played.
 */
export interface AgentEffort {
  readonly agent: string;
  /** Decisions of the agent. */
  readonly decisions: readonly number[];
  /** Number of positions that its search had evaluated by a net. */
  readonly evaluations: readonly number[];
  /**
   * Processor seconds of its decisions: those of the thread that played, and for another program those of its processes. In
   * one-player games those of the whole game. If other threads compute its nets, in batches of many games, those of the
   * search and of its positions, a row of a batch taking as long as any other.
   */
  readonly seconds: readonly number[];
  /**
   * The part of `seconds` that the evaluators' threads took; absent if they compute none of its nets, and in earlier versions.
   */
  readonly evaluatorSeconds?: readonly number[];
  /**
   * Its decisions that a time limit has ended, by the clock that counted the limit; absent if there are none. Several clocks
   * if the machines of a fleet have different versions of Node.
   */
  readonly limited?: readonly LimitedEffort[];
}

/** Decisions that a time limit has ended. */
export interface LimitedEffort {
  /** The processor time of the searching thread, or the wall clock. */
  readonly clock: "processor" | "wall";
  readonly decisions: number;
  /** The sum of their limits, in seconds. */
  readonly allowed: number;
  /** The processor seconds that they got; absent if not known. */
  readonly seconds?: number;
}

/**
 * The result of a match in a game of several players.
 *
 * Infinite numbers (Elo of a clean sweep) are null in `metrics.jsonl` and read as NaN.
 */
export interface Contest {
  readonly players: number;
  /** Number of games that count. */
  readonly games: number;
  /** Number of different sequences of moves among these games. Repeated games make the intervals too narrow. */
  readonly distinct: number;
  readonly standings: readonly Standing[];
  /** Every two agents that have played each other. */
  readonly pairs: readonly PairScore[];
  /** By seat: the win share of the seat, over all agents. */
  readonly seats: readonly ShareOfGames[];
  /** Results by line-up (the set of agents at the table, in any seats); absent in runs of earlier versions. */
  readonly lineups?: readonly LineupShares[];
  /** Games that ended because a player failed, by agent; agents without failures are left out. */
  readonly failures: readonly {
    readonly agent: string;
    readonly games: number;
    /** The message of the first failure. */
    readonly message: string;
  }[];
  /** Games whose result a player disputes; they do not count. Absent if there are none, and in earlier versions. */
  readonly disputes?: readonly GameDispute[];
  /** Games that an agent gave up, by agent; absent if there are none, and in earlier versions. */
  readonly resignations?: readonly { readonly agent: string; readonly games: number }[];
  /** The sequential test, if one decided the number of games. */
  readonly test?: {
    readonly elo0: number;
    readonly elo1: number;
    readonly alpha: number;
    readonly beta: number;
    /** The log likelihood ratio of elo1 to elo0, and the bounds that end the test. */
    readonly ratio: number;
    readonly bounds: readonly [number, number];
    readonly verdict: "elo0" | "elo1" | "undecided";
    /**
     * The mean score of the first agent in whole blocks, median unbiased, with an interval that allows for the end by the test. Elo
     * and ratings follow from it. Absent if no block has a result, and in earlier versions.
     */
    readonly score?: { readonly value: number; readonly interval: readonly [number, number] };
  };
}

/** A game whose result by the rules one of its players disputes. */
export interface GameDispute {
  /** The number of the game in its stage. */
  readonly game: number;
  readonly agent: string;
  /** The objection of the agent. */
  readonly message: string;
}

/** A share with its 95% interval over blocks of games that depend on each other: Wilson's, with a design effect. */
export interface ShareOfGames {
  readonly games: number;
  readonly value: number;
  readonly interval: readonly [number, number];
}

/** One agent in a contest. */
export interface Standing {
  readonly agent: string;
  /** Win share, summed over its seats in a game; ties are shared among the winners. */
  readonly wins: ShareOfGames;
  /** The expected win share among equal players, from its number of seats. */
  readonly fair: number;
  /** Bradley-Terry rating over all pairs of agents at a table, in Elo relative to their mean. */
  readonly rating: { readonly value: number; readonly interval: readonly [number, number] };
  /** By seat: the win share of that seat in the games where this agent had it (games 0 and value 0 if it never had it). */
  readonly bySeat: readonly ShareOfGames[];
}

/** The games of a contest with one line-up of agents. */
export interface LineupShares {
  readonly games: number;
  readonly agents: readonly {
    readonly agent: string;
    /** Number of its seats in each of these games. */
    readonly seats: number;
    /** Win share, summed over its seats in a game; ties are shared among the winners. */
    readonly wins: ShareOfGames;
  }[];
}

/** The score of one agent against another. */
export interface PairScore {
  readonly agent: string;
  readonly against: string;
  /** Share of pairs (own seat, seat of the other) in which the own seat was ahead, ties as half; mean over games. */
  readonly score: ShareOfGames;
  /** The score as a difference in Elo; after a sequential test, that of its score. */
  readonly elo: { readonly value: number; readonly interval: readonly [number, number] };
}

/**
 * Ratings of the versions of an agent that plays against its earlier selves, by the games of all rounds so far. It follows the
 * result of the round.
 */
export interface VersionRatings extends OfStage {
  readonly type: "version-ratings";
  /** The games or steps learned before, in `unit`. */
  readonly learned: number;
  readonly unit: "games" | "steps";
  /** The agent whose versions are rated. */
  readonly agent: string;
  /** The versions measured so far, the oldest first. */
  readonly versions: readonly RatedVersion[];
  /** The other players: agents by name, or as `agent@VERSION` if they have the net that is learned. */
  readonly others: readonly RatedParticipant[];
  /** The test whether the agent still gains; absent if none ends the run. */
  readonly until?: GainTested;
}

/** The state of the sequential test whether the newest version of an agent gains over an earlier one. */
export interface GainTested {
  /** Elo of the hypothesis that it gains; that of the other is 0. */
  readonly gain: number;
  /** The earlier version is that of so many rounds before. */
  readonly versions: number;
  readonly alpha: number;
  readonly beta: number;
  /** Games of the two since the test began, or began anew. */
  readonly games: number;
  /** The log likelihood ratio of the gain to none, and the bounds between which the test is undecided. */
  readonly ratio: number;
  readonly bounds: readonly [number, number];
  readonly verdict: "gain" | "no gain" | "undecided";
}

/** A rating in Elo relative to the oldest version, with its 95% interval; that of the oldest version is 0 and certain. */
interface Rating {
  readonly games: number;
  readonly elo: number;
  readonly interval: readonly [number, number];
}

/** The rating of a version of an agent. */
export interface RatedVersion extends Rating {
  readonly version: number;
  /** The games or steps learned before it. */
  readonly learned: number;
}

/** The rating of another participant. */
export interface RatedParticipant extends Rating {
  readonly participant: string;
}

/** Statistics of a policy net in the games of one round, by the number of plies played before. */
export interface PolicyStatistics extends OfStage {
  readonly type: "policy-statistics";
  /** The games or steps learned before, in `unit`. */
  readonly learned: number;
  readonly unit: "games" | "steps";
  /** The agent whose net and decisions are measured, and the agent in the other seats, if another. */
  readonly agent: string;
  readonly opponent?: string;
  readonly games: number;
  /** The values of k for `shares`. */
  readonly tops: readonly number[];
  /** In order of plies; plies without a decision of the agent are left out. */
  readonly plies: readonly PolicyAtPly[];
}

/** Statistics of a policy net after a number of plies, over the games of a round. */
export interface PolicyAtPly {
  readonly ply: number;
  /** Number of decisions. */
  readonly decisions: number;
  /** Number of legal moves. */
  readonly legal: Spread;
  /** For each k of `tops`: the mean of the summed probability of the k likeliest legal moves. */
  readonly shares: readonly number[];
  /** Rank of the move played among the legal moves by the net's probability, 1 for the likeliest. */
  readonly rank: Spread;
  /** Number of decisions in which the likeliest move was played. */
  readonly first: number;
  /** Entropy of the policy over the legal moves, in nats. */
  readonly entropy: Spread;
}

/** How often agents play right moves in the positions of a test suite, in one round of measuring. */
export interface SuiteResult extends OfStage {
  readonly type: "suite";
  /** The games or steps learned before, in `unit`. */
  readonly learned: number;
  readonly unit: "games" | "steps";
  /** Number of positions. */
  readonly positions: number;
  /** The expected share of a player that draws uniformly from the legal moves. */
  readonly uniform: number;
  readonly agents: readonly SuiteShare[];
}

/** The decisions of one agent in a test suite. */
export interface SuiteShare {
  readonly agent: string;
  /** Positions in which it played a right move. */
  readonly right: number;
  /** These as a share of all positions, with a 95% interval as if positions were drawn independently (Wilson). */
  readonly share: Estimate;
  /** The same for each group of positions; absent without groups. */
  readonly groups?: readonly {
    readonly group: string;
    readonly positions: number;
    readonly right: number;
    readonly share: Estimate;
  }[];
  /**
   * The mean squared difference of its values from the outcomes for the seat to move, by outcome (1 a win, 0 a draw, -1 a loss), with
   * Student's interval. A value is that of the seat to move less that of the other seat, scaled to [-1, 1]. Absent if values are not compared.
   */
  readonly valueErrors?: readonly ({ readonly outcome: number; readonly positions: number } & Estimate)[];
}

/** How well policies predict the moves of recorded games, in one round of measuring. */
export interface PolicyAccuracy extends OfStage {
  readonly type: "accuracy";
  /** The games or steps learned before, in `unit`. */
  readonly learned: number;
  readonly unit: "games" | "steps";
  /** Positions learned from before, each counted as often as it was drawn; absent if that is not known. */
  readonly seen?: number;
  /** The part of the recorded games. */
  readonly part: "training" | "validation" | "test";
  readonly policies: readonly PolicyScore[];
}

/** The predictions of one policy. */
export interface PolicyScore extends MoveAccuracy {
  readonly net: string;
  /** `ensemble`: the mean over all symmetric images of a position. */
  readonly symmetries: "none" | "ensemble";
  /** By group of the recorded games; empty if all are of one group. */
  readonly groups: readonly ({ readonly group: string } & MoveAccuracy)[];
  /** In bins by the number of plies before a decision: `from` is the first ply of a bin. */
  readonly plies: readonly ({ readonly from: number } & MoveAccuracy)[];
}

/** How well a policy predicts moves. Intervals are of 95%, over games; a single game gives no interval. */
export interface MoveAccuracy {
  readonly games: number;
  /** Decisions between two or more legal moves. */
  readonly decisions: number;
  /** Shares of the moves that were the likeliest one, and among the five likeliest. */
  readonly top1: Estimate;
  readonly top5: Estimate;
  /** Mean natural logarithm of the probability of the move. */
  readonly likelihood: Estimate;
  /** Moves that the policy never plays: they count as not predicted, and are left out of `likelihood`. Absent: none. */
  readonly impossible?: number;
}

/** A summary of numbers: their mean, and their 10%, 50% and 90% quantiles. */
export interface Spread {
  readonly mean: number;
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** A checkpoint has been written to disk and survives a kill. */
export interface CheckpointSaved extends OfStage {
  readonly type: "checkpoint";
  readonly learned: number;
  readonly unit: "games" | "steps";
  /** Path relative to the run's folder. */
  readonly path: string;
}

/** The monitor of diverging values: V(start) and the running mean score. */
export interface ValueDrift extends OfStage {
  readonly type: "value-drift";
  readonly learned: number;
  readonly startValue: number;
  readonly meanReturn: number;
  readonly ratio: number;
  /** The expected return of perfect play, if the game knows it. */
  readonly optimum?: number;
}

/** The error of values of positions whose results are known: by value nets, and by rollouts of agents. */
export interface ValueErrors extends OfStage {
  readonly type: "value-errors";
  /** What values and results are: `win-loss` from -1 to 1, `win-share` from 0 to 1, or the game's returns. */
  readonly values: "win-loss" | "win-share" | "returns";
  /** Number of plies put together in `plies`. */
  readonly width: number;
  readonly measures: readonly MeasuredErrors[];
}

/** The error of one net, or of the rollouts of one agent, on some positions. */
export interface MeasuredErrors {
  /** The net (a name under nets), or the agent of the rollouts. */
  readonly of: string;
  /** Number of rollouts from each position; absent for a net. */
  readonly rollouts?: number;
  /** `training` are positions that a net learned from; the others are not. */
  readonly part: "training" | "validation" | "test";
  readonly positions: number;
  /** Mean of (result - value)^2 for the seat to move, over the positions; a game is one draw of the interval. */
  readonly error: ShareOfGames;
  readonly plies: readonly ErrorAtPly[];
}

/** The error on positions before which this number of plies, or up to `width` - 1 more, was played. */
export interface ErrorAtPly {
  readonly ply: number;
  readonly positions: number;
  readonly error: ShareOfGames;
}

/** The weights of a value function with few weights, each with a name. */
export interface NamedWeights extends OfStage {
  readonly type: "weights";
  readonly learned: number;
  readonly unit: "games";
  readonly names: readonly string[];
  /** In the order of the names. */
  readonly values: readonly number[];
}

/** A figure that a stage of a plug-in emits, or the error of a net in int8. */
export interface StageFigure extends OfStage {
  readonly type: "figure";
  readonly name: string;
  readonly value: number;
  /** The games that the stage has read before, or how much it or its input has learned, in `unit`. */
  readonly learned: number;
  readonly unit: "games" | "steps";
}

/** Why a stage does not learn, once the run is sure; each name of each stage once. */
export interface DiagnosisFound extends OfStage {
  readonly type: "diagnosis";
  /** The name, which docs/it-does-not-learn.md has as an anchor. */
  readonly name: string;
  /** What is seen, with figures, and what it means. */
  readonly says: string;
  /** What to change. */
  readonly cure: string;
  /** What the stage had played or learned when it was found. */
  readonly learned: number;
  readonly unit: "games" | "steps";
}

/** A message for people. */
export interface Note {
  readonly type: "note";
  readonly level: "info" | "warning";
  readonly message: string;
  readonly stage?: string;
}

/** An event as stored in `metrics.jsonl`. */
export type RecordedEvent = RunEvent & {
  /** UTC, ISO 8601. */
  readonly time: string;
  /** Seconds of wall time that the run has been running, including earlier parts of a resumed run. */
  readonly elapsed: number;
  /**
   * The event's number among all events of this part of the run: 1, 2, 3 and so on. `metrics.jsonl` leaves out progress, so
   * its numbers have gaps. Absent in files of earlier versions.
   */
  readonly seq?: number;
};

/** An event as the bus passes it on. */
export type EmittedEvent = RecordedEvent & { readonly seq: number };
