import type { Game } from "./game.ts";

/**
 * The seat that is `place` places after the seat to move in turn order; place 0 is the seat to move itself. If chance
 * moves or the game is over, places are counted from seat 0. Nets see seats in this order. It is the same in mirror
 * images, in which seats follow each other the other way round.
 */
export function seatInTurnOrder<S>(game: Game<S>, state: S, place: number): number {
  const mover = Math.max(0, game.toMove(state));
  return (mover + place * (game.nets?.turnStep?.(state) ?? 1)) % game.players;
}
