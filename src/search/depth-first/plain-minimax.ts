import { type Game, OVER } from "../../games/game.ts";
import type { Descent } from "./depth-first.ts";
import type { FinalPayoff } from "./final-payoff.ts";

/**
 * Minimax of a game of two players without pruning, table or bounds of the game: what plies beyond the depth pay may be
 * anything. So it finds a payoff once the whole game tree below the position lies within the depth, or enough of it.
 */
export class PlainMinimax<S> {
  /** Bounds of the payoff of the last position: equal if it is known. */
  least = 0;
  most = 0;
  readonly #game: Game<S>;
  readonly #descent: Descent<S>;
  readonly #payoff: FinalPayoff<S>;

  constructor(descent: Descent<S>, payoff: FinalPayoff<S>) {
    this.#game = descent.game;
    this.#descent = descent;
    this.#payoff = payoff;
  }

  /** Searches the position of a level `plies` deep. */
  look(number: number, plies: number): void {
    const game = this.#game;
    const descent = this.#descent;
    descent.visit();
    const { state, actions } = descent.level(number);
    const toMove = game.toMove(state);
    if (toMove === OVER) {
      this.least = this.most = this.#payoff.final(state);
      return;
    }
    if (plies === 0) {
      this.least = -Infinity;
      this.most = Infinity;
      return;
    }
    const better = toMove === this.#payoff.side ? Math.max : Math.min;
    let least: number | undefined;
    let most: number | undefined;
    const child = descent.level(number + 1).state;
    const count = game.legal(state, actions);
    for (let i = 0; i < count; i++) {
      game.copy(state, child);
      game.play(child, actions[i]!);
      this.look(number + 1, plies - 1);
      least = least === undefined ? this.least : better(least, this.least);
      most = most === undefined ? this.most : better(most, this.most);
    }
    this.least = least!;
    this.most = most!;
  }
}
