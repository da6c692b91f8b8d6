import type { Game, MoveFeatures, PlaysToEnd } from "../../games/game.ts";
import type { PlayoutGuide } from "../../games/guided-playouts.ts";
import type { Random } from "../../random.ts";
import { NetDoesNotFit } from "../definition.ts";
import type { SharedTables } from "../tables.ts";
import { weightVector } from "./weight-vector.ts";

/**
 * A linear softmax policy: the probability of a legal move is proportional to exp(theta . phi), where phi are the game's
 * features of the move in the position. They are binary, so theta . phi is a sum of a few weights. A game may name the moves
 * that it chooses from (`MoveFeatures.moves`). Playouts draw moves by it, without allocation.
 */
export class LinearPolicy<S> implements PlayoutGuide<S> {
  /** theta, in the order of the game's features of moves; zeros (all moves equally likely) before learning. */
  readonly weights: Float64Array<SharedArrayBuffer>;
  /** The moves that the last draw chose from: the first `count` entries. */
  readonly actions: Int32Array;
  count = 0;
  /** The features of these actions, row-major [count, perMove]; not written if there is a single action. */
  readonly rows: Int32Array;
  /** exp(theta . phi) of these actions relative to the greatest, and the sum of it; not written for a single action. */
  readonly odds: Float64Array;
  total = 0;
  /** Plays to the end by this policy, if the game can do so faster than move by move. */
  readonly finish: PlaysToEnd<S> | undefined;
  readonly #game: Game<S>;
  readonly #features: MoveFeatures<S>;

  /** A policy on existing weights: `tables` holds a float64 for each feature. Throws NetDoesNotFit, RangeError. */
  constructor(game: Game<S>, tables: SharedTables) {
    this.#game = game;
    this.#features = moveFeaturesOf(game);
    this.weights = weightVector(tables, this.#features.count);
    this.actions = new Int32Array(game.maxLegal);
    this.rows = new Int32Array(game.maxLegal * this.#features.perMove);
    this.odds = new Float64Array(game.maxLegal);
    this.finish = game.linear?.playoutsBy?.(this.weights);
  }

  /** Draws a move at a decision ply; returns its index in `actions`. A single move takes no random number. */
  drawIndex(state: S, random: Random): number {
    const { odds } = this;
    const count = this.#list(state);
    if (count === 1) return 0;
    this.#weigh(state);
    let left = random.float() * this.total;
    for (let i = 0; i < count - 1; i++) {
      left -= odds[i]!;
      if (left < 0) return i;
    }
    return count - 1;
  }

  /**
   * Writes the odds of each of the first `count` of these actions, which are all legal ones in increasing order, relative to
   * the likeliest move: from 0 to 1. An action that the policy never plays has 0.
   */
  relativeOdds(state: S, actions: Int32Array, count: number, out: Float64Array): void {
    if (this.#features.moves === undefined) {
      // They are all the moves that it chooses from.
      this.actions.set(actions.subarray(0, count));
      this.count = count;
      this.#weigh(state);
      out.set(this.odds.subarray(0, count));
      return;
    }
    this.weigh(state);
    for (let i = 0, own = 0; i < count; i++) {
      while (own < this.count && this.actions[own]! < actions[i]!) own++;
      out[i] = own < this.count && this.actions[own] === actions[i] ? this.odds[own]! : 0;
    }
  }

  /** Lists the moves that the policy chooses from in a state, with their features and odds. */
  weigh(state: S): void {
    this.#list(state);
    this.#weigh(state);
  }

  /** Lists the moves that the policy chooses from; returns their number. */
  #list(state: S): number {
    const features = this.#features;
    const { actions } = this;
    this.count =
      features.moves === undefined ? this.#game.legal(state, actions) : features.moves(state, actions);
    return this.count;
  }

  /** Writes `rows`, `odds` and `total` of the listed moves. */
  #weigh(state: S): void {
    const { actions, count, odds, rows, weights } = this;
    const { perMove } = this.#features;
    this.#features.write(state, actions, count, rows);
    let greatest = -Infinity;
    for (let i = 0, at = 0; i < count; i++) {
      let sum = 0;
      for (const end = at + perMove; at < end; at++) sum += weights[rows[at]!]!;
      odds[i] = sum;
      if (sum > greatest) greatest = sum;
    }
    let total = 0;
    for (let i = 0; i < count; i++) total += odds[i] = Math.exp(odds[i]! - greatest);
    this.total = total;
  }

  /** Draws a move at a decision ply. */
  draw(state: S, random: Random): number {
    return this.actions[this.drawIndex(state, random)]!;
  }
}

/** The features of moves of a game that `linear-policy` can play. Throws NetDoesNotFit. */
export function moveFeaturesOf<S>(game: Game<S>): MoveFeatures<S> {
  if (game.linear?.moveFeatures === undefined)
    throw new NetDoesNotFit("linear-policy", game.name, "the game names no features of its moves");
  return game.linear.moveFeatures;
}
