import { bitCount } from "../bits.ts";
import type { Game } from "../game.ts";
import { completions, type ConnectFourBoard } from "./board.ts";
import { SolvedBounds } from "./solved-bounds.ts";
import { type ConnectFourState, stoneCount } from "./state.ts";

/** The value of a position under perfect play, for the seat to move. */
export interface ConnectFourValue {
  /** 1: the mover wins; 0: draw; -1: the mover loses. */
  readonly outcome: number;
  /** Plies to the end, if the winner ends the game as early and the loser as late as possible; a draw fills the board. */
  readonly plies: number;
}

/** The rules, of which a solver needs these parts. */
export interface SolvedRules extends Pick<Game<ConnectFourState>, "initial" | "legal" | "play" | "copy"> {
  readonly board: ConnectFourBoard;
}

/** Moves to be tried at one position: at most one a column. */
const MOST_MOVES = 8;

/**
 * The exact value of positions of Connect Four.
 *
 * Within the solver a position has a score for its mover, on a board of N cells: 0 for a draw; for a win that is complete
 * with n stones on the board 1 + floor((N - n) / 2), negative for the other seat's win. Both seats maximise it, so that an
 * early win is better than a late one.
 *
 * The search is negamax with alpha-beta (Knuth and Moore 1975), with null windows that halve the range of the score. A
 * table keeps a lower and an upper bound for positions. Moves that let the other seat win at once are not searched, and a
 * single threat of the other seat leaves one move. Other moves are tried in the order of the threats that they make: cells
 * with which the mover would complete four (J. D. Allen and L. V. Allis solved the game in 1988; L. V. Allis, *A
 * knowledge-based approach of Connect-Four*, 1988, explains how threats decide it).
 */
export class ConnectFourSolver {
  readonly #board: ConnectFourBoard;
  readonly #game: SolvedRules;
  readonly #table: SolvedBounds;
  /** By ply: the cells to be tried, two words each, and the threats that they make. */
  readonly #moves: Int32Array;
  readonly #threats: Int32Array;
  readonly #cells = new Int32Array(2);
  /** Columns from the middle outwards. */
  readonly #order: Int32Array;
  /** Positions searched so far. */
  searched = 0;

  /** The table has 2^tableBits entries of 10 bytes. */
  constructor(game: SolvedRules, tableBits = 20) {
    this.#board = game.board;
    this.#game = game;
    const { cells, columns } = this.#board;
    this.#table = new SolvedBounds(tableBits);
    this.#moves = new Int32Array(2 * MOST_MOVES * (cells + 1));
    this.#threats = new Int32Array(MOST_MOVES * (cells + 1));
    const middle = (columns - 1) / 2;
    this.#order = Int32Array.from({ length: columns }, (_, column) => column).sort(
      (a, b) => Math.abs(a - middle) - Math.abs(b - middle) || a - b,
    );
  }

  /** The value of a position that is not over. */
  value(state: ConnectFourState): ConnectFourValue {
    return this.#valueOfScore(this.#exactScore(state), state);
  }

  /** The outcome of a position that is not over, for its mover; cheaper than `value`. */
  outcome(state: ConnectFourState): number {
    if (this.#winsAtOnce(state)) return 1;
    if (this.#atLeast(state, 1)) return 1;
    return this.#atLeast(state, 0) ? 0 : -1;
  }

  /** By column: the value of the position for its mover after this move, counted from the position; undefined if it is not legal. */
  moveValues(state: ConnectFourState): (ConnectFourValue | undefined)[] {
    return this.#ofMoves(state, (after) => {
      if (after.toMove < 0) return { outcome: after.winner < 0 ? 0 : 1, plies: 1 };
      const { outcome, plies } = this.value(after);
      return { outcome: 0 - outcome, plies: plies + 1 };
    });
  }

  /** Writes the columns of the greatest value, an early win before a late one and a late loss before an early one; returns their number. */
  bestMoves(state: ConnectFourState, out: Int32Array): number {
    let [count, greatest] = [0, -Infinity];
    for (const [column, value] of this.moveValues(state).entries()) {
      if (value === undefined) continue;
      // No game has as many plies as the first term.
      const rank = 1000 * value.outcome - value.outcome * value.plies;
      if (rank < greatest) continue;
      if (rank > greatest) count = 0;
      greatest = rank;
      out[count++] = column;
    }
    return count;
  }

  /**
   * By column: whether the outcome for the mover stays that of the position with this move; undefined if it is not
   * legal. Cheaper than `moveValues`.
   */
  keepsOutcome(state: ConnectFourState): (boolean | undefined)[] {
    const outcome = this.outcome(state);
    // The other seat must not reach an outcome that leaves the mover less.
    return this.#ofMoves(state, (after) => {
      if (outcome < 0) return true;
      if (after.toMove < 0) return after.winner >= 0 || outcome === 0;
      return !this.#winsAtOnce(after) && !this.#atLeast(after, 1 - outcome);
    });
  }

  #ofMoves<T>(state: ConnectFourState, of: (after: ConnectFourState) => T): (T | undefined)[] {
    const after = this.#game.initial();
    const legal = new Int32Array(this.#board.columns);
    const count = this.#game.legal(state, legal);
    return Array.from({ length: this.#board.columns }, (_, column) => {
      if (!legal.subarray(0, count).includes(column)) return undefined;
      this.#game.copy(state, after);
      this.#game.play(after, column);
      return of(after);
    });
  }

  /** Halves the range of the score by null windows; the outcome first. */
  #exactScore(state: ConnectFourState): number {
    const { cells } = this.#board;
    const stones = stoneCount(state);
    if (this.#winsAtOnce(state)) return 1 + ((cells - stones - 1) >> 1);
    const outcome = this.outcome(state);
    if (outcome === 0) return 0;
    const most = 1 + ((cells - stones - 2) >> 1);
    let [least, greatest] = outcome > 0 ? [1, most] : [-most, -1];
    while (least < greatest) {
      const middle = Math.ceil((least + greatest) / 2);
      if (this.#atLeast(state, middle)) least = middle;
      else greatest = middle - 1;
    }
    return least;
  }

  #valueOfScore(score: number, state: ConnectFourState): ConnectFourValue {
    const { cells } = this.#board;
    const stones = stoneCount(state);
    if (score === 0) return { outcome: 0, plies: cells - stones };
    const wins = score > 0;
    // The mover wins after an odd number of plies, the other seat after an even one.
    let end = cells - 2 * (Math.abs(score) - 1);
    if (((end - stones) & 1) !== (wins ? 1 : 0)) end--;
    return { outcome: wins ? 1 : -1, plies: end - stones };
  }

  #winsAtOnce(state: ConnectFourState): boolean {
    const [low, high] = stonesOfMover(state);
    const allLow = state.low0 | state.low1;
    const allHigh = state.high0 | state.high1;
    const { bottomLow, bottomHigh } = this.#board;
    completions(low, high, this.#cells);
    return (
      ((this.#cells[0]! & (allLow + bottomLow) & ~allLow & this.#board.allLow) |
        (this.#cells[1]! & (allHigh + bottomHigh) & ~allHigh & this.#board.allHigh)) !==
      0
    );
  }

  /** Whether the score of a position in which the mover does not win at once is at least `bound`. */
  #atLeast(state: ConnectFourState, bound: number): boolean {
    const [low, high] = stonesOfMover(state);
    const score = this.#search(
      low,
      high,
      state.low0 | state.low1,
      state.high0 | state.high1,
      stoneCount(state),
      bound - 1,
      bound,
    );
    return score >= bound;
  }

  /**
   * A lower bound of the score if it is at least `beta`, an upper bound if it is at most `alpha`, else the score. The
   * mover has the stones `low`, `high` of all stones, and cannot complete four with this move.
   */
  #search(
    low: number,
    high: number,
    stonesLow: number,
    stonesHigh: number,
    stones: number,
    alpha: number,
    beta: number,
  ): number {
    this.searched++;
    const { allHigh, allLow, bottomHigh, bottomLow, cells } = this.#board;
    const found = this.#cells;
    const left = cells - stones;
    const sumLow = (stonesLow + bottomLow) | 0;
    const sumHigh = (stonesHigh + bottomHigh) | 0;
    let movesLow = sumLow & ~stonesLow & allLow;
    let movesHigh = sumHigh & ~stonesHigh & allHigh;

    completions(low ^ stonesLow, high ^ stonesHigh, found);
    const theirsLow = found[0]! & ~stonesLow & allLow;
    const theirsHigh = found[1]! & ~stonesHigh & allHigh;
    // The other seat wins with its next move, which is stone number stones + 2.
    const soonLoss = -1 - ((left - 2) >> 1);
    const forcedLow = movesLow & theirsLow;
    const forcedHigh = movesHigh & theirsHigh;
    if ((forcedLow | forcedHigh) !== 0) {
      if (
        (forcedLow & (forcedLow - 1)) !== 0 ||
        (forcedHigh & (forcedHigh - 1)) !== 0 ||
        (forcedLow !== 0 && forcedHigh !== 0)
      )
        return soonLoss;
      movesLow = forcedLow;
      movesHigh = forcedHigh;
    }
    // A stone below a threat of the other seat lets it win there.
    movesLow &= ~(theirsLow >>> 1);
    movesHigh &= ~(theirsHigh >>> 1);
    if ((movesLow | movesHigh) === 0) return left === 0 ? 0 : soonLoss;
    if (left <= 2) return 0;

    const most = 1 + ((left - 3) >> 1);
    const least = left < 4 ? 0 : -1 - ((left - 4) >> 1);
    if (most < beta) beta = most;
    if (least > alpha) alpha = least;
    if (alpha >= beta) return alpha >= most ? most : alpha;

    const table = this.#table;
    // In each column the mover's stones, and the bit above all stones: no two positions share them.
    const keyLow = low | sumLow;
    const keyHigh = high | sumHigh;
    const entry = table.find(keyLow, keyHigh);
    if (entry >= 0) {
      const lower = table.lower[entry]!;
      const upper = table.upper[entry]!;
      if (lower >= beta || lower === upper) return lower;
      if (upper <= alpha) return upper;
      if (lower > alpha) alpha = lower;
      if (upper < beta) beta = upper;
    }

    const first = MOST_MOVES * stones;
    const count = this.#listMoves(low, high, stonesLow, stonesHigh, movesLow, movesHigh, first);
    const from = alpha;
    let best = -128;
    for (let i = first; i < first + count && alpha < beta; i++) {
      const moveLow = this.#moves[2 * i]!;
      const moveHigh = this.#moves[2 * i + 1]!;
      const score =
        0 -
        this.#search(
          low ^ stonesLow,
          high ^ stonesHigh,
          stonesLow | moveLow,
          stonesHigh | moveHigh,
          stones + 1,
          0 - beta,
          0 - alpha,
        );
      if (score > best) best = score;
      if (score > alpha) alpha = score;
    }
    if (best >= beta) table.raise(keyLow, keyHigh, best);
    else if (best <= from) table.lowerTo(keyLow, keyHigh, best);
    else table.settle(keyLow, keyHigh, best);
    return best;
  }

  /** Lists moves by the number of threats that the mover has after them, of equal ones those nearer the middle first. */
  #listMoves(
    low: number,
    high: number,
    stonesLow: number,
    stonesHigh: number,
    movesLow: number,
    movesHigh: number,
    first: number,
  ): number {
    const { allHigh, allLow } = this.#board;
    const moves = this.#moves;
    const threats = this.#threats;
    const found = this.#cells;
    const order = this.#order;
    let count = 0;
    for (let k = 0; k < order.length; k++) {
      const column = order[k]!;
      const mask = 0xff << (8 * (column & 3));
      const moveLow = column < 4 ? movesLow & mask : 0;
      const moveHigh = column < 4 ? 0 : movesHigh & mask;
      if ((moveLow | moveHigh) === 0) continue;
      completions(low | moveLow, high | moveHigh, found);
      const made =
        bitCount(found[0]! & ~stonesLow & allLow & ~moveLow) +
        bitCount(found[1]! & ~stonesHigh & allHigh & ~moveHigh);
      let at = first + count++;
      for (; at > first && threats[at - 1]! < made; at--) {
        threats[at] = threats[at - 1]!;
        moves[2 * at] = moves[2 * at - 2]!;
        moves[2 * at + 1] = moves[2 * at - 1]!;
      }
      threats[at] = made;
      moves[2 * at] = moveLow;
      moves[2 * at + 1] = moveHigh;
    }
    return count;
  }
}

function stonesOfMover(state: ConnectFourState): readonly [number, number] {
  return state.toMove === 0 ? [state.low0, state.high0] : [state.low1, state.high1];
}
