import type { EvaluationRequest } from "../games/evaluation.ts";
import type { Random } from "../random.ts";

/** A position inside a search tree with the value that the search found for it: one training example. */
export interface Sample<S> {
  readonly state: S;
  /** One value per seat, in the units of the game's returns: what is earned from this state on. */
  readonly values: readonly number[];
}

/**
 * What a search decided for one ply.
 *
 * It lies in buffers of the search, used again by its next call: copy what is to be kept.
 */
export interface Decision<S> {
  /** The action to play. */
  readonly action: number;
  /**
   * One value per seat: what it is expected to earn from this position on when `action` is played, the
   * action's reward included. Zeros from a search that estimates nothing (`random`).
   */
  readonly values: readonly number[];
  /** The legal actions, in the order of `legal`. */
  readonly actions: Int32Array;
  /** Beside each legal action: in how many simulations it was taken; 0 where the search does not simulate. */
  readonly visits: Float64Array;
  /** Beside each legal action: what the mover is expected to earn by it, its reward included. */
  readonly actionValues: Float64Array;
  /**
   * Beside each legal action: the weight that a policy should learn to give it, 0 or more, in any unit; not all are 0.
   * Absent where the visits are these weights.
   */
  readonly policy?: Float64Array;
  /** False after a search that was cut short and whose policy is not to be learned; its values may be. */
  readonly learn?: boolean;
  /** Positions inside the tree to learn from; empty where the search takes no samples. */
  readonly samples: readonly Sample<S>[];
}

/** One search under way: yields states to be evaluated, ends with a decision. */
export type Searching<S> = Generator<EvaluationRequest<S>, Decision<S>, void>;

/**
 * Chooses an action at a decision ply.
 *
 * All draws come from the `random` it is given. A search keeps its trees and buffers between calls, so one
 * search object plays one seat of one game at a time, and a call is run to its end before the next one begins. One
 * that is asked about positions apart from any game is told neither `begin` nor `observe`, and keeps nothing.
 */
export interface Search<S> {
  /** The most states that one of its requests holds; 0 when it never asks. */
  readonly maxRequest: number;
  /** Told before each game that it plays in, with the game's first state: what it kept of another game is dropped. */
  begin?(state: S): void;
  /**
   * Told every ply of the game, its own and chance included, with the state before it: for what is kept from move to
   * move (a tree, statistics of actions, another program's board). What is kept never depends on anything else, so
   * that a game played again is the same game.
   */
  observe?(state: S, action: number): void;
  /**
   * Searches from `state`, which must be a decision ply and is not changed.
   *
   * `decisions` is the number of decisions made in this game before this one, by all seats: schedules over a
   * game (the temperature of the played move) count by it.
   */
  search(state: S, random: Random, decisions: number): Searching<S>;
}
