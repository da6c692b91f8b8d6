/**
 * The statistics of Progressive History (Nijssen and Winands 2011): for each move, the payoffs of the simulations in
 * which its seat made it, at any point of the game. A move is a seat and an action.
 */
export class ActionHistory {
  /** At 2 * key the sum of payoffs (s_a), at 2 * key + 1 their number (n_a); see `PlayoutTree`. */
  readonly pairs: Float64Array;

  /** Keys are 0 .. keys - 1. */
  constructor(keys: number) {
    this.pairs = new Float64Array(2 * keys);
  }

  /** Counts a move and the payoff of its seat. */
  add(key: number, payoff: number): void {
    this.pairs[2 * key]! += payoff;
    this.pairs[2 * key + 1]! += 1;
  }

  clear(): void {
    this.pairs.fill(0);
  }
}
