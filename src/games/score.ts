import type { Game, Score } from "./game.ts";

/** What nets learn as the score of a game: its ability `nets.score`, or its returns if it has none. */
export function scoreOf<S>(game: Game<S>): Score<S> {
  return (
    game.nets?.score ?? {
      bounds: game.returnBounds,
      write: (state, out) => game.returns(state, out),
    }
  );
}
