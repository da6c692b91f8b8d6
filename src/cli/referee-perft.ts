import type { Game } from "../games/game.ts";
import { RefereeError } from "./referee-agent.ts";

/** Positions that the referee's `perft` looks into at most: a second or two of work. */
export const PERFT_LIMIT = 5_000_000;

/**
 * The number of sequences of exactly `depth` plies from a state, chance outcomes counted as plies.
 *
 * The last ply is counted, not played. Throws RefereeError when more than PERFT_LIMIT positions would be looked into,
 * so that no line can keep a session busy for long.
 */
export function limitedPerft<S>(game: Game<S>, state: S, depth: number): number {
  let looked = 0;
  const levels: { readonly state: S; readonly actions: Int32Array }[] = [];
  const count = (from: S, plies: number): number => {
    if (++looked > PERFT_LIMIT)
      throw new RefereeError(`depth ${depth} is too deep here: more than ${PERFT_LIMIT} positions`);
    const level = (levels[plies] ??= { state: game.initial(), actions: new Int32Array(game.maxLegal) });
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
  return depth === 0 ? 1 : count(state, depth);
}
