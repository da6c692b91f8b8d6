import { type Estimate, tidySum, wilsonInterval } from "./intervals.ts";
import { studentT95 } from "./student-t.ts";

/** Weight of the variance of independent wins and losses beside that of the blocks, in blocks. */
export const PRIOR_BLOCKS = 2;

/**
 * A share of games won, or any mean of numbers in [0, 1], of games that come in blocks: the games of a block may depend on each
 * other, as two games of one opening with colours exchanged do; blocks are independent.
 *
 * The interval is Wilson's with an effective number of games and Student's t (Dean and Pagano 2015, *Evaluating Confidence Interval
 * Methods for Binomial Proportions in Clustered Surveys*): games / (design effect), where the design effect (Kish 1965) is the
 * variance of the share over blocks, divided by that of as many independent wins and losses. Draws, and openings that favour one
 * colour, lower it. It is estimated with the weight of `PRIOR_BLOCKS` blocks whose design effect is 1, so the interval has a width
 * also if all blocks ended alike.
 */
export class ShareTally {
  readonly #blocks = new Map<number, { won: number; games: number }>();
  #won = 0;
  #games = 0;
  /** Sums over blocks of won * won, won * games, games * games. */
  #wonWon = 0;
  #wonGames = 0;
  #gamesGames = 0;

  /** Counts games of a block, of which `won` were won; a win shared counts as a part. */
  add(block: number, won: number, games = 1): void {
    let sums = this.#blocks.get(block);
    if (sums === undefined) this.#blocks.set(block, (sums = { won: 0, games: 0 }));
    this.#square(sums, -1);
    sums.won += won;
    sums.games += games;
    this.#square(sums, 1);
    this.#won += won;
    this.#games += games;
  }

  get games(): number {
    return this.#games;
  }

  /** The share with its 95% interval; [0, 1] for one block. Without games it throws a RangeError. */
  get estimate(): Estimate {
    const games = this.#games;
    if (games === 0) throw new RangeError("no games to take a share of");
    const value = Math.min(tidySum(this.#won), games) / games;
    const blocks = this.#blocks.size;
    if (blocks === 1) return { value, interval: [0, 1] };
    const squares = this.#wonWon - 2 * value * this.#wonGames + value * value * this.#gamesGames;
    const independent = games * value * (1 - value);
    const effect = designEffect(blocks, squares, independent);
    return { value, interval: wilsonInterval(value, games / effect, studentT95(blocks - 1)) };
  }

  #square({ games, won }: { readonly won: number; readonly games: number }, sign: number): void {
    this.#wonWon += sign * won * won;
    this.#wonGames += sign * won * games;
    this.#gamesGames += sign * games * games;
  }
}

/** The design effect of a number of blocks with this sum of squares, divided by that of independent wins and losses. */
export function designEffect(blocks: number, squares: number, independent: number): number {
  // If all is won or lost, nothing is known about the variance of blocks.
  if (independent === 0) return 1;
  return (blocks * (Math.max(0, squares) / independent) + PRIOR_BLOCKS) / (blocks + PRIOR_BLOCKS);
}
