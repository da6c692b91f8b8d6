import type { StoredGame } from "../../src/formats/game-records.ts";
import type { StoredTensor } from "../../src/formats/safetensors.ts";

/** Two records of a game, compared move by move. */
export interface ComparedGame {
  /** What differs first; absent where the records are equal, bit by bit. */
  readonly difference?: "number or generation" | "seats" | "moves" | "values" | "returns" | "facts";
  /** The first ply with another move; the number of plies of the shorter record where it is the beginning of the longer. */
  readonly otherMove?: number;
  /**
   * The greatest difference of two values of decisions before that ply, relative to the first one's size where that is
   * above 1. A record does not tell which plies are chance or a given opening: decisions count that lie before it in any
   * case.
   */
  readonly farthest: number;
}

const exactly = (a: ArrayLike<number | bigint>, b: ArrayLike<number | bigint>) =>
  a.length === b.length && Array.from(a).every((value, i) => Object.is(value, b[i]));

/** Compares two records of a game. */
export function compareGames(one: StoredGame, other: StoredGame): ComparedGame {
  const plies = Math.max(one.actions.length, other.actions.length);
  let ply = 0;
  while (ply < plies && one.actions[ply] === other.actions[ply]) ply++;
  const players = one.returns.length;
  const undecided = one.actions.length - one.values.length / players;
  const known = ply === plies ? one.values.length : players * Math.max(0, ply - undecided);
  let farthest = 0;
  for (let i = 0; i < Math.min(known, one.values.length, other.values.length); i++)
    farthest = Math.max(farthest, relativeDistance(one.values[i]!, other.values[i]!));
  const difference = differenceOf(one, other);
  return {
    ...(difference === undefined ? {} : { difference }),
    ...(ply === plies ? {} : { otherMove: ply }),
    farthest,
  };
}

function differenceOf(one: StoredGame, other: StoredGame): ComparedGame["difference"] {
  if (one.game !== other.game || one.generation !== other.generation) return "number or generation";
  if (one.seats.join() !== other.seats.join()) return "seats";
  if (!exactly(one.actions, other.actions)) return "moves";
  if (!exactly(one.values, other.values)) return "values";
  if (!exactly(one.returns, other.returns)) return "returns";
  return JSON.stringify(one.facts) === JSON.stringify(other.facts) ? undefined : "facts";
}

/**
 * The difference of two tensors, relative to the length of the first as a vector: 0 where they are equal bit by bit,
 * infinite where their shapes differ.
 */
export function tensorDistance(one: StoredTensor, other: StoredTensor | undefined): number {
  if (other === undefined || one.shape.join() !== other.shape.join()) return Infinity;
  if (exactly(one.data, other.data)) return 0;
  let [difference, size] = [0, 0];
  for (const [i, value] of one.data.entries()) {
    difference += (Number(value) - Number(other.data[i]!)) ** 2;
    size += Number(value) ** 2;
  }
  // Zeros of both signs are not the same bits.
  return Math.sqrt(difference / size) || Number.MIN_VALUE;
}

function relativeDistance(a: number, b: number): number {
  return Object.is(a, b) ? 0 : Math.abs(a - b) / Math.max(1, Math.abs(a)) || Number.MIN_VALUE;
}
