import type { EvaluationRequest } from "../games/evaluation.ts";
import type { Game, Planes } from "../games/game.ts";
import { seatInTurn } from "../games/turn-order.ts";

/**
 * How positions and answers stand in the rows of a net.
 *
 * A row of features is the planes that the net sees. A row of values begins with the seat to move and goes on in turn
 * order (see `seatInTurn`), so that a net sees every position from the mover's side. A row of logits has one entry per
 * action of the game's numbering.
 */
export class NetRows<S> {
  /** Numbers in a row of features. */
  readonly features: number;
  readonly #game: Game<S>;
  readonly #planes: Planes<S>;
  readonly #legal: Int32Array;

  constructor(game: Game<S>, planes: Planes<S>) {
    this.#game = game;
    this.#planes = planes;
    this.features = planes.shape.reduce((product, size) => product * size, 1);
    this.#legal = new Int32Array(game.maxLegal);
  }

  /** Writes the features of one state as row `row`. */
  writeFeatures(state: S, rows: Float32Array, row: number): void {
    this.#planes.write(state, rows, row * this.features);
  }

  /** Writes values by seat as row `row` of a net's values. */
  writeValues(state: S, bySeat: ArrayLike<number>, rows: Float32Array, row: number): void {
    const { players } = this.#game;
    for (let turn = 0; turn < players; turn++)
      rows[row * players + turn] = bySeat[seatInTurn(this.#game, state, turn)]!;
  }

  /** Answers state number `index` of a request from row `row` of a net's values and logits. */
  readAnswer(
    request: EvaluationRequest<S>,
    index: number,
    values: Float32Array,
    logits: Float32Array,
    row: number,
  ): void {
    const { players, actions, maxLegal } = this.#game;
    const state = request.states[index]!;
    for (let turn = 0; turn < players; turn++)
      request.values[index * players + seatInTurn(this.#game, state, turn)] = values[row * players + turn]!;
    if (request.priors === undefined || logits.length === 0) return;
    // Softmax over the legal actions alone.
    const count = this.#game.legal(state, this.#legal);
    let best = -Infinity;
    for (let i = 0; i < count; i++) best = Math.max(best, logits[row * actions + this.#legal[i]!]!);
    let total = 0;
    for (let i = 0; i < count; i++) {
      const weight = Math.exp(logits[row * actions + this.#legal[i]!]! - best);
      request.priors[index * maxLegal + i] = weight;
      total += weight;
    }
    for (let i = 0; i < count; i++) request.priors[index * maxLegal + i]! /= total;
  }
}
