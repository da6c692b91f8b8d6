import type { Game } from "./game.ts";

/** Counting would visit more positions than the limit allows. */
export class PerftTooLarge extends RangeError {
  override readonly name = "PerftTooLarge";
}

/**
 * The number of sequences of exactly `depth` plies that lead on from a state; chance outcomes count as plies, each
 * once whatever its probability. Games that end earlier do not count.
 *
 * The state is not changed. The last ply is counted, not played. Throws PerftTooLarge if it would visit more than
 * `limit` positions.
 */
export function perft<S>(game: Game<S>, state: S, depth: number, limit = Infinity): number {
  if (depth === 0) return 1;
  const levels = Array.from({ length: depth }, () => ({
    state: game.initial(),
    actions: new Int32Array(game.maxLegal),
  }));
  let looked = 0;
  const count = (from: S, plies: number): number => {
    if (++looked > limit) throw new PerftTooLarge(`perft(${depth}) looks into more than ${limit} positions`);
    const level = levels[plies - 1]!;
    const legal = game.legal(from, level.actions);
    if (plies === 1) return legal;
    let total = 0;
    for (let i = 0; i < legal; i++) {
      game.copy(from, level.state);
      game.play(level.state, level.actions[i]!);
      total += count(level.state, plies - 1);
    }
    return total;
  };
  return count(state, depth);
}
