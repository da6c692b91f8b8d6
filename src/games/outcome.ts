import { delegate } from "./delegate.ts";
import { type Game, OVER } from "./game.ts";

/**
 * The outcome of a finished game: 1 is shared equally by the seats with the greatest return, the others get 0. So a
 * win is worth 1, a draw of two players .5 each, a loss 0.
 */
export function outcome(returns: Float64Array, out: Float64Array): void {
  let greatest = -Infinity;
  for (const earned of returns) greatest = Math.max(greatest, earned);
  let winners = 0;
  for (const earned of returns) if (earned === greatest) winners++;
  for (let seat = 0; seat < returns.length; seat++) out[seat] = returns[seat] === greatest ? 1 / winners : 0;
}

/**
 * The result of a finished game, as BlokusZero learns it (section 4.2): 1 for every seat with the greatest return, also
 * where several have it, and -1 for the others.
 */
export function result(returns: Float64Array, out: Float64Array): void {
  let greatest = -Infinity;
  for (const earned of returns) greatest = Math.max(greatest, earned);
  for (let seat = 0; seat < returns.length; seat++) out[seat] = returns[seat] === greatest ? 1 : -1;
}

/**
 * What values are of: the game's `returns`; its `outcome` alone (the win shared by the winners, 0 to 1); its `result`
 * alone (1 for each winner, -1 for the others).
 */
export type ValuesOf = "returns" | "outcome" | "result";

/**
 * A game played for these values: as it is for its returns, else one whose returns are 0 until it is over and then its
 * outcome or result. Rules, states, numbering and abilities are the game's own; a state of the one is a state of the
 * other.
 */
export function playedFor<S>(game: Game<S>, values: ValuesOf): Game<S> {
  if (values === "returns") return game;
  const earned = new Float64Array(game.players);
  const settle = values === "outcome" ? outcome : result;
  return {
    ...delegate(game),
    returnBounds: values === "outcome" ? [0, 1] : [-1, 1],
    returns(state, out) {
      out.fill(0);
      if (game.toMove(state) !== OVER) return;
      game.returns(state, earned);
      settle(earned, out);
    },
  };
}

/** A game played for its outcome alone; see `playedFor`. */
export function outcomeGame<S>(game: Game<S>): Game<S> {
  return playedFor(game, "outcome");
}
