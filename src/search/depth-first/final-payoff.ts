import type { FinalBounds, Game } from "../../games/game.ts";
import { valueName } from "./static-payoff.ts";

/**
 * What a finished game of two players pays one seat: the margin, its own value less that of the other. Values are those of
 * a static evaluation or the returns.
 */
export class FinalPayoff<S> {
  /** The seat that is paid. */
  side = 0;
  /** Bounds of the payoff from the position last given to `bound`. */
  least = -Infinity;
  most = Infinity;
  readonly #values: (state: S, out: Float64Array) => void;
  readonly #bounds: FinalBounds<S>[string] | undefined;
  /** The least and the greatest margin that the game allows, if nothing is known of the position. */
  readonly #range: number;
  readonly #first = new Float64Array(2);
  readonly #second = new Float64Array(2);

  /** `value` is the name of a static evaluation, `returns` or `auto`. */
  constructor(game: Game<S>, value: string) {
    const name = valueName(game, value);
    const evaluation = game.depthFirst?.staticEvaluations?.[name];
    this.#values = evaluation ?? ((state, out) => game.returns(state, out));
    this.#bounds = game.depthFirst?.finalBounds?.[name];
    const [least, most] = game.returnBounds;
    this.#range = evaluation === undefined ? most - least : Infinity;
  }

  /** The payoff of a finished game. */
  final(state: S): number {
    const values = this.#first;
    this.#values(state, values);
    return values[this.side]! - values[1 - this.side]!;
  }

  /** Sets `least` and `most`. */
  bound(state: S): void {
    if (this.#bounds === undefined) {
      this.least = 0 - this.#range;
      this.most = this.#range;
      return;
    }
    const { side } = this;
    this.#bounds(state, this.#first, this.#second);
    this.least = this.#first[side]! - this.#second[1 - side]!;
    this.most = this.#second[side]! - this.#first[1 - side]!;
  }
}
