import type { Random } from "../random.ts";
import { delegate } from "./delegate.ts";
import type { Game, PlaysToEnd } from "./game.ts";

/** Draws the moves of playouts in place of the game's preference. */
export interface PlayoutGuide<S> {
  /** One of the legal actions at a decision ply. */
  draw(state: S, random: Random): number;
  /** Plays to the end by such draws; present for games that play by linear policies themselves (`playoutsBy`). */
  readonly finish?: PlaysToEnd<S> | undefined;
}

/**
 * A game whose preferred moves in playouts are drawn by the present guide; uniform draws and everything else are the given
 * game's.
 */
export function guidedPlayouts<S>(game: Game<S>, guide: () => PlayoutGuide<S>): Game<S> {
  const actions = new Int32Array(game.maxLegal);
  const { finishPreferred: _, ...playouts } = game.playouts ?? {
    uniform: (state: S, random: Random) => actions[random.below(game.legal(state, actions))]!,
  };
  return {
    ...delegate(game),
    playouts: {
      ...playouts,
      preferred: (state, random) => guide().draw(state, random),
      ...(game.linear?.playoutsBy === undefined
        ? {}
        : { finishPreferred: (state, random, recorder) => guide().finish!(state, random, recorder) }),
    },
  };
}
