import type { Game } from "../../../games/game.ts";
import { seatInTurnOrder } from "../../../games/turn-order.ts";

/**
 * The layout of values in the rows of a net: a row begins with the seat to move and continues in turn order (see
 * `seatInTurnOrder`), so a net sees every position from the side of the seat to move.
 */
export class NetRows<S> {
  readonly #game: Game<S>;

  constructor(game: Game<S>) {
    this.#game = game;
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
