import type { Game } from "../../games/game.ts";
import { settledBy, winShares } from "../../games/outcome.ts";

/** The name of a payoff rule: see `payoffRules`. */
export type PayoffName = "win" | "share" | "score";

/** Writes the payoff of each seat at the end of a game, from its returns. */
export type PayoffRule = (returns: Float64Array, out: Float64Array) => void;

/**
 * The payoff rules. `win` pays 1 to every seat with the top return and 0 to the others (BlokusZero, section 3.1.4).
 * `share` divides the 1 among those seats. `score` pays the returns themselves.
 */
export const payoffRules: Readonly<Record<PayoffName, PayoffRule>> = {
  win(returns, out) {
    winShares(returns, out);
    for (let seat = 0; seat < out.length; seat++) out[seat] = out[seat]! > 0 ? 1 : 0;
  },
  share: winShares,
  score: (returns, out) => out.set(returns),
};

/** The least and the greatest payoff of a seat under a rule. Infinite if the game sets no bound. */
export function payoffBounds<S>(rule: PayoffName, game: Game<S>): readonly [number, number] {
  return rule === "score" ? game.returnBounds : [0, 1];
}

/** The game whose returns are these payoffs. */
export function paidBy<S>(rule: PayoffName, game: Game<S>): Game<S> {
  return rule === "score" ? game : settledBy(game, payoffRules[rule], payoffBounds(rule, game));
}
