import { EMPTY, type GoBoard, neighbour } from "./board.ts";
import { Marks } from "./marks.ts";
import type { GoState } from "./state.ts";

/**
 * What a move does on the board: finds it without playing the move.
 *
 * `of` is for a legal move of the mover. The fields then describe that move until the next call.
 */
export class MoveEffect {
  /** Stones of the other side that it captures. */
  captured = 0;
  /** Stones of the chain that it makes, the new stone included. */
  stones = 0;
  /** Liberties of that chain after the captures, counted up to `most`; 0 for a suicide. */
  liberties = 0;
  readonly #stride: number;
  readonly #most: number;
  readonly #friends = new Int16Array(4);
  readonly #taken = new Int16Array(4);
  readonly #marks = new Marks();

  constructor({ stride }: GoBoard, most: number) {
    this.#stride = stride;
    this.#most = most;
  }

  /** Finds the effect of the mover's stone on an empty cell. */
  of(state: GoState, cell: number): void {
    const { colour, head, liberties, stones } = state;
    const stride = this.#stride;
    const own = state.toMove + 1;
    const enemy = 3 - own;
    const friends = this.#friends;
    const taken = this.#taken;
    let free = 0;
    let friendly = 0;
    let takes = 0;
    let captured = 0;
    let size = 1;
    for (let side = 0; side < 4; side++) {
      const beside = neighbour(cell, side, stride);
      const there = colour[beside]!;
      if (there === EMPTY) free++;
      else if (there === own) {
        const chain = head[beside]!;
        if (isIn(friends, friendly, chain)) continue;
        friends[friendly++] = chain;
        size += stones[chain]!;
      } else if (there === enemy) {
        const chain = head[beside]!;
        if (liberties[chain] !== 1 || isIn(taken, takes, chain)) continue;
        taken[takes++] = chain;
        captured += stones[chain]!;
      }
    }
    this.captured = captured;
    this.stones = size;
    if (takes > 0 || friendly > 1) this.liberties = this.#walk(state, cell, friendly, takes);
    else if (friendly === 0) this.liberties = free;
    else {
      const chain = friends[0]!;
      const total = liberties[chain]! - 1 + this.#fresh(state, cell, chain);
      this.liberties = Math.min(total, this.#most);
    }
  }

  /** The empty cells beside a cell that are not beside a chain. */
  #fresh({ colour, head }: GoState, cell: number, chain: number): number {
    const stride = this.#stride;
    let count = 0;
    for (let side = 0; side < 4; side++) {
      const beside = neighbour(cell, side, stride);
      if (
        colour[beside] === EMPTY &&
        head[beside - stride] !== chain &&
        head[beside - 1] !== chain &&
        head[beside + 1] !== chain &&
        head[beside + stride] !== chain
      )
        count++;
    }
    return count;
  }

  /** Counts the liberties of the new chain stone by stone. */
  #walk({ colour, head, next }: GoState, cell: number, friendly: number, takes: number): number {
    const stride = this.#stride;
    const mark = this.#marks.wipe();
    const marks = this.#marks.of;
    marks[cell] = mark;
    let count = 0;
    for (let i = -1; i < friendly; i++) {
      const first = i < 0 ? cell : this.#friends[i]!;
      let stone = first;
      do {
        for (let side = 0; side < 4; side++) {
          const beside = neighbour(stone, side, stride);
          if (marks[beside] === mark) continue;
          if (colour[beside] !== EMPTY && !isIn(this.#taken, takes, head[beside]!)) continue;
          marks[beside] = mark;
          if (++count === this.#most) return count;
        }
        // The new stone is in no ring yet.
        stone = i < 0 ? first : next[stone]!;
      } while (stone !== first);
    }
    return count;
  }
}

function isIn(list: Int16Array, length: number, value: number): boolean {
  for (let i = 0; i < length; i++) if (list[i] === value) return true;
  return false;
}
