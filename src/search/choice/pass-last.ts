import type { Game, Passes } from "../../games/game.ts";
import { Type } from "../../schema.ts";
import type { DecisionRows } from "./decision-buffer.ts";
import { mostVisited } from "./move-choice.ts";

/** By how much of the range of returns a move may be worse than another one that it is played in place of. */
const AS_GOOD = 0.01;

/** The option `passLast`. */
export const passLastOption = Type.Optional(
  Type.Boolean({
    default: false,
    description:
      "Whether a player that expects to win passes only if no other move that may settle something is as good. So it captures dead stones before a game ends, for opponents that count another score otherwise. Needs a game with passes, such as Go.",
  }),
);

/** The reason why the option does not suit a game, or undefined if it does. */
export function unsuitedPassLast(
  game: Game<any>,
  passLast: boolean | undefined,
  solver = false,
): string | undefined {
  if (passLast !== true) return undefined;
  if (game.search?.passes === undefined) return `${game.name} has no passes, which passLast needs`;
  return solver
    ? "with solver a player takes the first win that it proves, also by a pass: set solver or passLast to false"
    : undefined;
}

/** The move of a player that passes last, in place of the one that its search has chosen. */
export class PassLast<S> {
  readonly #passes: Passes<S>;
  readonly #least: number;
  readonly #most: number;

  /** The rule for a player with the option; undefined for one without. */
  static of<S>(game: Game<S>, passLast: boolean | undefined): PassLast<S> | undefined {
    return passLast === true ? new PassLast(game) : undefined;
  }

  private constructor(game: Game<S>) {
    [this.#least, this.#most] = game.returnBounds;
    this.#passes = game.search!.passes!;
  }

  /**
   * The index of the move to play. If the chosen one wins more than it loses, it is the most visited of the moves that are
   * about as good and may settle something; without such a move the pass, if it is as good.
   */
  choose(state: S, chosen: number, { actions, visits, actionValues: values }: DecisionRows): number {
    const { pass, settles } = this.#passes;
    if (values[chosen]! <= (this.#least + this.#most) / 2) return chosen;
    const asGood = values[chosen]! - AS_GOOD * (this.#most - this.#least);
    const among = (has: (action: number) => boolean) => {
      const counts = visits.map((count, i) => (values[i]! >= asGood && has(actions[i]!) ? count : 0));
      const best = mostVisited(counts, values);
      return counts[best]! > 0 ? best : undefined;
    };
    return (
      among((action) => action !== pass && settles(state, action)) ??
      among((action) => action === pass) ??
      chosen
    );
  }
}
