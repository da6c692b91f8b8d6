import type { EvaluationRequest, Evaluator } from "../../games/evaluation.ts";
import { type Features, type Game, OVER } from "../../games/game.ts";
import { winShares } from "../../games/outcome.ts";
import { NetDoesNotFit } from "../definition.ts";
import type { SharedTables } from "../tables.ts";
import { weightVector } from "./weight-vector.ts";

/**
 * A linear value function of a game of two seats without chance: V(s) = theta . phi(s), where phi(s) are the game's features
 * as seat 0 sees the state. V(s) is the expected win share of seat 0: 1 for a win, .5 for a draw, 0 for a loss. Seat 1
 * expects 1 - V(s). V is not confined to [0, 1].
 */
export class LinearValue<S> implements Evaluator<S> {
  /** theta, in the order of the game's features; zeros before learning. */
  readonly weights: Float64Array<SharedArrayBuffer>;
  readonly #game: Game<S>;
  readonly #features: Features<S>;
  readonly #row: Float64Array;
  readonly #returns = new Float64Array(2);
  readonly #winShares = new Float64Array(2);

  /** A value function on given weights: `tables` holds a float64 per feature. Throws NetDoesNotFit, RangeError. */
  constructor(game: Game<S>, tables: SharedTables) {
    this.#game = game;
    this.#features = featuresOf(game);
    this.weights = weightVector(tables, this.#features.names.length);
    this.#row = new Float64Array(this.weights.length);
  }

  /** V(s); for a finished game the win share. Writes phi(s) to `row`; for a finished game the row is undefined. */
  value(state: S, row: Float64Array = this.#row): number {
    if (this.#game.toMove(state) === OVER) {
      this.#game.returns(state, this.#returns);
      winShares(this.#returns, this.#winShares);
      return this.#winShares[0]!;
    }
    this.#features.write(state, 0, row);
    return this.dot(row);
  }

  /** theta . phi, summed in the order of the features. */
  dot(row: Float64Array): number {
    const { weights } = this;
    let sum = 0;
    for (let i = 0; i < weights.length; i++) sum += weights[i]! * row[i]!;
    return sum;
  }

  /** Evaluates each state by V; a finished game has no further return. Gives no priors. */
  evaluate(request: EvaluationRequest<S>): void {
    for (let i = 0; i < request.count; i++) {
      const state = request.states[i]!;
      const over = this.#game.toMove(state) === OVER;
      const value = this.value(state);
      request.values[2 * i] = over ? 0 : value;
      request.values[2 * i + 1] = over ? 0 : 1 - value;
    }
  }
}

/** The features of a game that `linear` can evaluate. Throws NetDoesNotFit. */
export function featuresOf<S>(game: Game<S>): Features<S> {
  if (game.players !== 2 || game.chance !== undefined)
    throw new NetDoesNotFit("linear", game.name, "it values games of two players without chance");
  if (game.linear?.features === undefined)
    throw new NetDoesNotFit("linear", game.name, "the game names no features of its positions");
  return game.linear.features;
}
