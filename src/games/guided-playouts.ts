import type { Random } from "../random.ts";
import { delegate } from "./delegate.ts";
import type { Game } from "./game.ts";

/** A game whose preferred moves in playouts are drawn by `draw`; uniform draws and everything else are the given game's. */
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
