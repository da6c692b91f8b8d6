import type { Random } from "../../../random.ts";
import { EMPTY, type GoBoard } from "../board.ts";
import { isEyeByCorners } from "../eyes.ts";
import type { GoState } from "../state.ts";

/** More than a playout can take away: the pseudo-liberties of what is not a chain. */
const NO_CHAIN = 1 << 28;

/**
 * The board of a playout: stones, chains and a list of the empty points; no history, no hash and no ages.
 *
 * Chains count pseudo-liberties: pairs of a stone and an empty point beside it. A chain has none exactly if it has no
 * liberty, and the sum of two chains needs no look at their stones (Lew, libego, 2005).
 */
export class PlayoutBoard {
  readonly #board: GoBoard;
  /** By cell: EMPTY, BLACK, WHITE, or EDGE outside the board. */
  readonly colour: Uint8Array;
  /** By stone: the head of its chain; elsewhere 0, which means no chain. */
  readonly head: Int16Array;
  /** By stone: the next one in the ring of its chain. */
  readonly next: Int16Array;
  /** By head: stones and pseudo-liberties. */
  readonly stones: Int16Array;
  readonly pseudo: Int32Array;
  /** The empty cells; the first `#emptyCount` count. By cell: its place in that list. */
  readonly #empty: Int16Array;
  readonly #slot: Int16Array;
  #emptyCount = 0;
  /** The cell where the next move may not take back a stone, or 0. */
  ko = 0;

  constructor(board: GoBoard) {
    this.#board = board;
    this.colour = new Uint8Array(board.cells);
    this.head = new Int16Array(board.cells);
    this.next = new Int16Array(board.cells);
    this.stones = new Int16Array(board.cells);
    this.pseudo = new Int32Array(board.cells);
    this.#empty = new Int16Array(board.points);
    this.#slot = new Int16Array(board.cells);
  }

  /** Sets up the position of a state; the empty points are listed in order. */
  load(state: GoState): void {
    const { points, cellOf, stride } = this.#board;
    const head = this.head;
    const pseudo = this.pseudo;
    const empty = this.#empty;
    this.colour.set(state.colour);
    head.set(state.head);
    this.next.set(state.next);
    this.stones.set(state.stones);
    pseudo.fill(0);
    let count = 0;
    for (let point = 0; point < points; point++) {
      const cell = cellOf[point]!;
      if (state.colour[cell] !== EMPTY) continue;
      this.#slot[cell] = count;
      empty[count++] = cell;
      pseudo[head[cell - stride]!]!++;
      pseudo[head[cell - 1]!]!++;
      pseudo[head[cell + 1]!]!++;
      pseudo[head[cell + stride]!]!++;
    }
    pseudo[0] = NO_CHAIN;
    this.#emptyCount = count;
    this.ko = state.ko;
  }

  /** Writes the stones over those of a state; its chains stay as they were. */
  store(state: GoState): void {
    state.colour.set(this.colour);
  }

  /**
   * Draws a move for a colour, each with the same probability, and returns its cell; 0 if there is none. Points of the
   * list of empty ones are drawn: a point that does not do, or that `rejects` rejects, is swapped behind those that may
   * still be drawn.
   */
  draw(colour: number, random: Random, rejects?: (cell: number, colour: number) => boolean): number {
    const empty = this.#empty;
    for (let left = this.#emptyCount; left > 0;) {
      const at = random.below(left);
      const cell = empty[at]!;
      if (this.fits(cell, colour) && (rejects === undefined || !rejects(cell, colour))) return cell;
      left--;
      const other = empty[left]!;
      empty[left] = cell;
      empty[at] = other;
      this.#slot[cell] = left;
      this.#slot[other] = at;
    }
    return 0;
  }

  /** Whether a colour may play on an empty cell, by simple ko and without suicide, and fills no eye of its own. */
  fits(cell: number, colour: number): boolean {
    const { stride } = this.#board;
    const colours = this.colour;
    const north = colours[cell - stride]!;
    const west = colours[cell - 1]!;
    const east = colours[cell + 1]!;
    const south = colours[cell + stride]!;
    // A point that the ko forbids has no empty neighbour.
    if (north === EMPTY || west === EMPTY || east === EMPTY || south === EMPTY) return true;
    // Bits of EDGE are those of both colours.
    if ((north & west & east & south & colour) !== 0 && isEyeByCorners(colours, stride, cell, colour))
      return false;
    if (cell === this.ko) return false;
    const head = this.head;
    const pseudo = this.pseudo;
    const a = head[cell - stride]!;
    const b = head[cell - 1]!;
    const c = head[cell + 1]!;
    const d = head[cell + stride]!;
    pseudo[a]!--;
    pseudo[b]!--;
    pseudo[c]!--;
    pseudo[d]!--;
    // An own chain with another liberty, or one of the opponent without. The edge is neither.
    const fits =
      (pseudo[a] === 0) === (north !== colour) ||
      (pseudo[b] === 0) === (west !== colour) ||
      (pseudo[c] === 0) === (east !== colour) ||
      (pseudo[d] === 0) === (south !== colour);
    pseudo[a]!++;
    pseudo[b]!++;
    pseudo[c]!++;
    pseudo[d]!++;
    return fits;
  }

  /**
   * Plays a move that `draw` gave. Its point leaves the list of empty ones, where the last of the list takes its place;
   * captured points are appended in order.
   */
  play(cell: number, colour: number): void {
    const { stride } = this.#board;
    const colours = this.colour;
    const head = this.head;
    const pseudo = this.pseudo;
    const north = cell - stride;
    const south = cell + stride;
    const last = this.#empty[--this.#emptyCount]!;
    const slot = this.#slot[cell]!;
    this.#empty[slot] = last;
    this.#slot[last] = slot;
    const before = this.#emptyCount;

    colours[cell] = colour;
    pseudo[head[north]!]!--;
    pseudo[head[cell - 1]!]!--;
    pseudo[head[cell + 1]!]!--;
    pseudo[head[south]!]!--;
    head[cell] = cell;
    this.next[cell] = cell;
    this.stones[cell] = 1;
    pseudo[cell] =
      (colours[north] === EMPTY ? 1 : 0) +
      (colours[cell - 1] === EMPTY ? 1 : 0) +
      (colours[cell + 1] === EMPTY ? 1 : 0) +
      (colours[south] === EMPTY ? 1 : 0);
    this.#joinOrCapture(north, cell, colour);
    this.#joinOrCapture(cell - 1, cell, colour);
    this.#joinOrCapture(cell + 1, cell, colour);
    this.#joinOrCapture(south, cell, colour);

    const captured = this.#emptyCount - before;
    this.ko = 0;
    if (captured > 1) this.#sort(before);
    else if (captured === 1 && pseudo[cell] === 1 && head[cell] === cell && this.stones[cell] === 1)
      this.ko = this.#empty[before]!;
  }

  /** Joins a new stone with what is beside it, or captures that. */
  #joinOrCapture(beside: number, cell: number, colour: number): void {
    const there = this.colour[beside]!;
    if (there === colour) {
      const other = this.head[beside]!;
      const own = this.head[cell]!;
      if (other !== own) this.#join(other, own);
    } else if (there === 3 - colour && this.pseudo[this.head[beside]!] === 0) this.#capture(beside);
  }

  /** Joins two chains; the stones of the smaller one get the other's head. */
  #join(a: number, b: number): void {
    const head = this.head;
    const next = this.next;
    const stones = this.stones;
    const small = stones[a]! < stones[b]! ? a : b;
    const large = a + b - small;
    let stone = small;
    do {
      head[stone] = large;
      stone = next[stone]!;
    } while (stone !== small);
    const after = next[large]!;
    next[large] = next[small]!;
    next[small] = after;
    stones[large]! += stones[small]!;
    this.pseudo[large]! += this.pseudo[small]!;
  }

  #capture(first: number): void {
    const { stride } = this.#board;
    const head = this.head;
    const next = this.next;
    const pseudo = this.pseudo;
    let stone = first;
    do {
      this.colour[stone] = EMPTY;
      head[stone] = 0;
      this.#slot[stone] = this.#emptyCount;
      this.#empty[this.#emptyCount++] = stone;
      pseudo[head[stone - stride]!]!++;
      pseudo[head[stone - 1]!]!++;
      pseudo[head[stone + 1]!]!++;
      pseudo[head[stone + stride]!]!++;
      stone = next[stone]!;
    } while (stone !== first);
  }

  /** Puts the empty points from this place of the list on in order. */
  #sort(from: number): void {
    const empty = this.#empty;
    for (let i = from + 1; i < this.#emptyCount; i++) {
      const cell = empty[i]!;
      let at = i;
      for (; at > from && empty[at - 1]! > cell; at--) {
        empty[at] = empty[at - 1]!;
        this.#slot[empty[at]!] = at;
      }
      empty[at] = cell;
      this.#slot[cell] = at;
    }
  }
}
