import type { EvaluationRequest } from "../games/evaluation.ts";
import type { Random } from "../random.ts";

/** A position with the value that a search found for it: one training example. */
export interface Sample<S> {
  readonly state: S;
  /** One value per seat, in the units of the game's returns: what is earned from this state on. */
  readonly values: readonly number[];
}

/** What a search decided for one ply. */
export interface Decision<S> {
  /** The action to play. */
  readonly action: number;
  /** Value of the position for each seat: what it is expected to earn from here on, this move's reward included. */
  readonly values: readonly number[];
  /** The legal actions, in the order of `legal`, and beside each its number of visits (or weight) and its value for the mover. */
  readonly actions: Int32Array;
  readonly visits: Float64Array;
  readonly actionValues: Float64Array;
  /** Positions inside the tree to learn from, where the search samples them. */
  readonly samples?: readonly Sample<S>[];
}

/** One search under way: yields states to be evaluated, ends with a decision. */
export type Searching<S> = Generator<EvaluationRequest<S>, Decision<S>, void>;

/**
 * Chooses an action at a decision ply.
 *
 * The state is not changed. All draws come from `random`. A search keeps its trees and buffers between calls,
 * so one search object plays in one game at a time.
 */
export interface Search<S> {
  search(state: S, random: Random): Searching<S>;
}
