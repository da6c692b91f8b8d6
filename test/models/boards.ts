import type { Game } from "../../src/games/game.ts";

/** As much of a game as nets look at. */
export function boardGame(
  players: number,
  actions: number,
  shape: readonly [number, number, number],
): Game<unknown> {
  return { name: "board", players, actions, planes: { board: { shape } } } as unknown as Game<unknown>;
}
