import type { Random } from "../random.ts";
import { delegate } from "./delegate.ts";
import type { Game, PlaysToEnd } from "./game.ts";

/** Draws the moves of playouts in place of the game's preference. */
export interface PlayoutGuide<S> {
  /** One of the legal actions at a decision ply. */
  draw(state: S, random: Random): number;
  /**
   * Writes the odds of each of the first `count` of these legal actions, in increasing order, relative to the likeliest
   * move: from 0 to 1.
   */
  relativeOdds(state: S, actions: Int32Array, count: number, out: Float64Array): void;
  /** Plays to the end by such draws; present for games that play by linear policies themselves (`playoutsBy`). */
  readonly finish?: PlaysToEnd<S> | undefined;
}

/**
 * A game whose preferred moves in playouts are drawn by the present guide, and which has the relative odds of moves as the
 * prior `policy`; uniform draws and everything else are the given game's.
 */
export function guidedPlayouts<S>(game: Game<S>, guide: () => PlayoutGuide<S>): Game<S> {
  const actions = new Int32Array(game.maxLegal);
  const { finishPreferred: _, ...playouts } = game.playouts ?? {
    uniform: (state: S, random: Random) => actions[random.below(game.legal(state, actions))]!,
  };
  return {
    ...delegate(game),
    search: {
      ...game.search,
      movePriors: {
        ...game.search?.movePriors,
        policy: (state, moves, count, out) => guide().relativeOdds(state, moves, count, out),
      },
    },
    playouts: {
      ...playouts,
      preferred: (state, random) => guide().draw(state, random),
      ...(game.linear?.playoutsBy === undefined
        ? {}
        : { finishPreferred: (state, random, recorder) => guide().finish!(state, random, recorder) }),
    },
  };
}

/** A guide to which all moves are equal, in place of a policy that has not been read. */
export function impartialGuide<S>(game: Game<S>): PlayoutGuide<S> {
  const actions = new Int32Array(game.maxLegal);
  return {
    draw: (state, random) => actions[random.below(game.legal(state, actions))]!,
    relativeOdds: (_state, _actions, count, out) => void out.fill(1, 0, count),
    finish: game.playouts?.finish,
  };
}
