/**
 * What seats earned in the simulations in which they made a move, wherever in the game it was: the statistics of
 * Progressive History (Nijssen and Winands 2011), a move being known by its seat and action.
 */
export class ActionHistory {
  /** At 2 * key the payoffs added up (s_a), at 2 * key + 1 the number of times (n_a); see `PlayoutTree.key`. */
  readonly pairs: Float64Array;

  /** For keys 0 .. keys - 1. */
  constructor(keys: number) {
    this.pairs = new Float64Array(2 * keys);
  }

  /** Counts a move that earned its seat this much. */
  add(key: number, payoff: number): void {
    this.pairs[2 * key]! += payoff;
    this.pairs[2 * key + 1]! += 1;
  }

  clear(): void {
    this.pairs.fill(0);
  }
}
