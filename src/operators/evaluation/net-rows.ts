import type { Game, Planes } from "../../games/game.ts";
import { seatInTurnOrder } from "../../games/turn-order.ts";

/**
 * The layout of positions and responses in the rows of a net.
 *
 * A row of features holds the planes that the net sees. A row of values begins with the seat to move and continues in turn
 * order (see `seatInTurnOrder`), so a net sees every position from the side of the seat to move. In a row of logits, the logit
 * of an action has index `logitOf[action]`, or the action itself if the net has no `logitOf`.
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
      rows[row * players + turn] = bySeat[seatInTurnOrder(this.#game, state, turn)]!;
  }

  /** Reads row `row` of a net's values into `bySeat`, by seat, from index `at` on. */
  readValues(state: S, rows: Float32Array, row: number, bySeat: Float64Array, at: number): void {
    const { players } = this.#game;
    for (let turn = 0; turn < players; turn++)
      bySeat[at + seatInTurnOrder(this.#game, state, turn)] = rows[row * players + turn]!;
  }
}
