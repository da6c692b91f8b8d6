import type { Game } from "../src/games/game.ts";
import { Random } from "../src/random.ts";
import { type Episode, episode } from "../src/search/episode.ts";
import { openSearch } from "../src/search/registry.ts";

/** A game that a search plays by invented evaluations. */
export interface InventedGame {
  /** The name of a search with a net. */
  readonly search: string;
  readonly simulations: number;
  /** Standard deviation of the logits; the larger, the sharper the priors. */
  readonly deviation: number;
  /** Another index gives another game. */
  readonly index: number;
}

/** Plays a game. Priors are softmaxes of normal logits, values hyperbolic tangents of small normal numbers. */
export function inventedGame(
  game: Game<unknown>,
  { search, simulations, deviation, index }: InventedGame,
): Episode<unknown> {
  const named = (...purpose: (string | number)[]) =>
    Random.named("bench", "examples", search, deviation, index, ...purpose);
  const invented = named("evaluations");
  const legal = new Int32Array(game.maxLegal);
  const seats = Array.from({ length: game.players }, (_, seat) => ({
    search: openSearch(search, game, { simulations }),
    random: named(seat),
    evaluator: 0,
  }));
  const playing = episode(game, seats, named("chance"), { keep: { visits: true } });
  let step = playing.next();
  for (; step.done !== true; step = playing.next()) {
    const { states, count, values, priors } = step.value.request;
    for (let i = 0; i < count * game.players; i++) values[i] = Math.tanh(0.3 * invented.normal());
    for (let i = 0; i < count; i++) {
      const first = i * game.maxLegal;
      const end = first + game.legal(states[i], legal);
      let total = 0;
      for (let at = first; at < end; at++) total += priors![at] = Math.exp(deviation * invented.normal());
      for (let at = first; at < end; at++) priors![at]! /= total;
    }
  }
  return step.value;
}
