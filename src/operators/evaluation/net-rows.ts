import type { Game, Planes } from "../../games/game.ts";
import { seatInTurn } from "../../games/turn-order.ts";

/**
 * How positions and answers stand in the rows of a net.
 *
 * A row of features is the planes that the net sees. A row of values begins with the seat to move and goes on in turn
 * order (see `seatInTurn`), so that a net sees every position from the mover's side. Of a row of logits, the logit of an
 * action is number `logitOf[action]`, or that of the action where the net has no `logitOf`.
 */
export class NetRows<S> {
  /** Numbers in a row of features. */
  readonly features: number;
  readonly #game: Game<S>;
  readonly #planes: Planes<S>;

  constructor(game: Game<S>, planes: Planes<S>) {
    this.#game = game;
    this.#planes = planes;
    this.features = planes.shape.reduce((product, size) => product * size, 1);
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

  /** Writes the values of row `row` of a net's values by seat, from `at` on. */
  readValues(state: S, rows: Float32Array, row: number, bySeat: Float64Array, at: number): void {
    const { players } = this.#game;
    for (let turn = 0; turn < players; turn++)
      bySeat[at + seatInTurn(this.#game, state, turn)] = rows[row * players + turn]!;
  }
}
