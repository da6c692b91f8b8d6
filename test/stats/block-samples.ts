import type { Random } from "../../src/random.ts";

/**
 * A pair of games from one opening with colours exchanged, in which a player is stronger by `strength` and the opening favours one
 * colour by up to `bias`, both in units of the logarithm of odds.
 */
export interface PairsOfGames {
  readonly strength: number;
  /** Share of draws among equals. */
  readonly draws: number;
  readonly bias: number;
}

/** The scores of the player in the two games of a pair. */
export function pairOfGames({ bias, draws, strength }: PairsOfGames, random: Random): [number, number] {
  const opening = bias * (2 * random.float() - 1);
  return [gameOf(strength + opening, draws, random), gameOf(strength - opening, draws, random)];
}

/** The mean score of the player over all openings. */
export function meanScore({ bias, strength }: PairsOfGames): number {
  if (bias === 0) return odds(strength);
  // The integral of the logistic function over openings.
  return (Math.log1p(Math.exp(strength + bias)) - Math.log1p(Math.exp(strength - bias))) / (2 * bias);
}

function gameOf(advantage: number, draws: number, random: Random): number {
  const score = odds(advantage);
  const drawn = 2 * draws * Math.min(score, 1 - score);
  const draw = random.float();
  return draw < score - drawn / 2 ? 1 : draw < score + drawn / 2 ? 0.5 : 0;
}

function odds(advantage: number): number {
  return 1 / (1 + Math.exp(-advantage));
}

/** The seats of a table in the order in which exponential clocks with the rates exp(strength) ring (Luce 1959). */
export function orderOf(strengths: readonly number[], random: Random): number[] {
  const times = strengths.map((strength) => -Math.log(1 - random.float()) / Math.exp(strength));
  return [...times.keys()].toSorted((a, b) => times[a]! - times[b]!);
}
