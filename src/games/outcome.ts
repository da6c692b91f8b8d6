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
 * A game played for its outcome alone: returns are 0 until it is over and then what `outcome` says. Rules, states,
 * numbering and abilities are the game's own; a state of the one is a state of the other.
 */
export function outcomeGame<S>(game: Game<S>): Game<S> {
  const earned = new Float64Array(game.players);
  return {
    ...delegate(game),
    returnBounds: [0, 1],
    returns(state, out) {
      out.fill(0);
      if (game.toMove(state) !== OVER) return;
      game.returns(state, earned);
      outcome(earned, out);
    },
  };
}

/** All that the game has, by itself or by its class, its methods bound to it. */
function delegate<T extends object>(game: T): T {
  const view: Record<string, unknown> = {};
  for (let at: object = game; at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    for (const key of Object.getOwnPropertyNames(at)) {
      if (key in view || key === "constructor") continue;
      const value: unknown = game[key as keyof T];
      view[key] = typeof value === "function" ? (value.bind(game) as unknown) : value;
    }
  return view as T;
}
