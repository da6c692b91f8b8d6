import type { EvaluationRequest } from "../games/evaluation.ts";
import type { Random } from "../random.ts";
import type { TimeLimit } from "./time-budget.ts";

/** A position inside a search tree with the value that the search found for it. It is one training example. */
export interface Sample<S> {
  readonly state: S;
  /** One value per seat, in units of the game's returns: the expected return from this state on. */
  readonly values: readonly number[];
}

/**
 * The decision of a search for one ply.
 *
 * Its arrays are buffers of the search, which the next call overwrites. Copy what you keep.
 */
export interface Decision<S> {
  /** The action to play. */
  readonly action: number;
  /**
   * One value per seat: the expected return from this position on when `action` is played, with the reward of the
   * action. Zeros from a search that estimates nothing (`random`). NaN from a search that proves values (`minimax`) if
   * the time was up before.
   */
  readonly values: readonly number[];
  /** The legal actions, in the order of `legal`. */
  readonly actions: Int32Array;
  /** Beside each legal action: the number of simulations that took it. 0 from a search that does not simulate. */
  readonly visits: Float64Array;
  /** Beside each legal action: its Q for the mover, the expected return with the reward of the action; NaN as above. */
  readonly actionValues: Float64Array;
  /**
   * Beside each legal action: the weight that a policy should learn for it. Weights are 0 or more, in any unit, and not
   * all 0. Absent if the visits are the weights.
   */
  readonly policy?: Float64Array;
  /** The player gives the game up, and does not play `action`. Only in games where it can (see `canResign`). */
  readonly resigns?: true;
  /** False after a quick search: its policy is not to be learned, but its values may be. */
  readonly learn?: boolean;
  /** The time limit that ended the search. Absent if it ended by itself. */
  readonly limit?: TimeLimit;
  /** Training examples from inside the tree. Empty from a search that takes no samples. */
  readonly samples: readonly Sample<S>[];
}

/** The priors P that a search began with, noise included, and how far its policy target t is from them. */
export interface PolicyChange {
  /** The Kullback-Leibler divergence in nats: the sum of t log(t / P) over the actions that the target is over. */
  readonly surprise: number;
  /** The total variation distance of t and P: over all legal actions, or, if that is less, over those tried, with a sum of 1 there. */
  readonly distance: number;
  /** The entropy of P over the legal actions, in nats. */
  readonly priorEntropy: number;
}

/** One search under way. It yields evaluation requests and ends with a decision. */
export type Searching<S> = Generator<EvaluationRequest<S>, Decision<S>, void>;

/**
 * Chooses an action at a decision ply.
 *
 * All draws come from the `random` that it is given. A search keeps its trees and buffers between calls: one search
 * object plays one game at a time, and each call must end before the next one begins. To search positions that belong
 * to no game, call neither `begin` nor `observe`; the search then keeps nothing from call to call.
 */
export interface Search<S> {
  /** The greatest number of states in one of its requests. 0 for a search that makes no requests. */
  readonly maxRequest: number;
  /** Called before each game with the game's first state. The search drops what it kept of another game. */
  begin?(state: S): void;
  /**
   * Called at every ply of the game with the state before it and the action, also at its own plies and those of chance.
   * It serves what a search keeps from move to move: a tree, statistics of actions, another program's board. What a
   * search keeps must depend on nothing else, so that a game can be replayed exactly.
   */
  observe?(state: S, action: number): void;
  /**
   * Called when a game is over, with its last state. Returns the player's objection to the result by the rules, in words:
   * another program may have counted another score. undefined: none.
   */
  objection?(state: S): string | undefined;
  /**
   * Processor seconds that other processes have spent for this search so far, counted from any fixed moment before the present
   * game; undefined if they are not known. Absent if the calling thread does all the work.
   */
  processorSeconds?(): number | undefined;
  /**
   * Searches from `state`, which must be a decision ply. The state is not changed.
   *
   * `decisions` is the number of decisions made in this game before this one, by all seats. Schedules over a game (the
   * temperature of the played move) count by it.
   *
   * `milliseconds` is the wall time of this decision, in place of the search's own limits, as a clock of GTP grants it; the
   * limits of its options count by the clock that it was created with. A search whose options fix the number of its
   * simulations, and one that decides at once, ignore it.
   */
  search(state: S, random: Random, decisions: number, milliseconds?: number): Searching<S>;
  /**
   * Continues the search of the last decision for this wall time, and decides again. The other arguments are those of
   * that decision; no ply has been played since. For programs that show a search while it runs. Absent if a search
   * ends by itself.
   */
  resume?(state: S, random: Random, decisions: number, milliseconds: number): Searching<S>;
  /** Called when no game follows: processes that work for the search end. Absent if there are none. */
  stop?(): void;
  /** What the last decision found out about one of its actions. Absent if a search knows no more than its decision. */
  outlook?(action: number): Outlook;
  /** How far the policy target of the last decision is from the priors that it began with. Absent from a search without priors. */
  policyChange?(): PolicyChange;
}

/** What a search knows about an action beyond its visits and its Q. */
export interface Outlook {
  /** The prior probability of the action; absent from a search without priors. */
  readonly prior?: number;
  /** The principal variation that begins with the action: the most visited decisions, up to a leaf or a chance ply. */
  readonly variation: readonly number[];
}
