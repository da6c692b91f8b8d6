import type { Random } from "../random.ts";
import { delegate } from "./delegate.ts";
import type { Game } from "./game.ts";

/** The game with the moves that it prefers in playouts drawn so; uniform draws, and all else, are its own. */
export function guidedPlayouts<S>(game: Game<S>, draw: (state: S, random: Random) => number): Game<S> {
  const actions = new Int32Array(game.maxLegal);
  return {
    ...delegate(game),
    playouts: {
      uniform: (state, random) => actions[random.below(game.legal(state, actions))]!,
      ...game.playouts,
      preferred: draw,
    },
  };
}
