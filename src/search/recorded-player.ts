import type { Game } from "../games/game.ts";
import { DecisionBuffer } from "./choice/decision-buffer.ts";
import { PlayerFailed } from "./player-failed.ts";
import type { Search, Searching } from "./search.ts";

/**
 * Plays the moves of a recorded game, in place of a player that is not to play again: another program. If the record
 * ends or its move is not legal, it fails (PlayerFailed). Its values are zeros, as those of other programs.
 */
export class RecordedPlayer<S> implements Search<S> {
  readonly maxRequest = 0;
  readonly #actions: ArrayLike<number>;
  readonly #buffer: DecisionBuffer<S>;
  readonly #values: readonly number[];
  #ply = 0;

  /** `actions` are those of all plies of the game, chance included. */
  constructor(game: Game<S>, actions: ArrayLike<number>) {
    this.#actions = actions;
    this.#buffer = new DecisionBuffer(game);
    this.#values = Array.from({ length: game.players }, () => 0);
  }

  begin(): void {
    this.#ply = 0;
  }

  observe(): void {
    this.#ply++;
  }

  // oxlint-disable-next-line require-yield -- it requests no evaluation
  *search(state: S): Searching<S> {
    const recorded = this.#actions[this.#ply];
    if (recorded === undefined) throw new PlayerFailed("the record ends here");
    const rows = this.#buffer.open(state);
    const index = rows.actions.indexOf(recorded);
    if (index < 0) throw new PlayerFailed(`the move ${recorded} of the record is not legal`);
    return this.#buffer.close(rows, index, this.#values);
  }
}
