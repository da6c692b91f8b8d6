import type { Game } from "./game.ts";

/**
 * The seat that is `turn` places in turn after the one to move (after seat 0 where chance moves or the game is over); 0
 * is that one itself. This order, in which nets see seats, is the same in mirror images, where seats follow each
 * other the other way round.
 */
export function seatInTurn<S>(game: Game<S>, state: S, turn: number): number {
  const mover = Math.max(0, game.toMove(state));
  return (mover + turn * (game.nets?.turnStep?.(state) ?? 1)) % game.players;
}
