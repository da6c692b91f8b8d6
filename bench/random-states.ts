import type { Game } from "../src/games/game.ts";
import { Random } from "../src/random.ts";

/** So many states after so many random plies; games that have ended by then are left out. */
export function randomStates(game: Game<unknown>, plies: number, count: number): unknown[] {
  return Array.from({ length: count }, (_, number) => {
    const random = Random.named("positions", game.name, plies, number);
    const state = game.initial();
    const actions = new Int32Array(game.maxLegal);
    for (let ply = 0; ply < plies && game.toMove(state) >= 0; ply++)
      game.play(state, actions[random.below(game.legal(state, actions))]!);
    return state;
  }).filter((state) => game.toMove(state) >= 0);
}
