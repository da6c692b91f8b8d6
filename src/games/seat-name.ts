import type { Game } from "./game.ts";

/**
 * The name of a seat for people: `Black` if the game has names for its seats, else `seat 1`, counted from 1; with the
 * player in parentheses, if it has a name.
 */
export function seatName<S>(game: Pick<Game<S>, "drawing">, seat: number, player = ""): string {
  const name = game.drawing.seats?.[seat] ?? `seat ${seat + 1}`;
  return player === "" ? name : `${name} (${player})`;
}
