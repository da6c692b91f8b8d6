import { EDGE, EMPTY, type GoBoard, neighbour } from "../board.ts";
import type { PlayoutBoard } from "./playout-board.ts";

/** A chain with one liberty has at most this many pseudo-liberties: an empty point has four neighbours. */
const MOST_PSEUDO_IN_ATARI = 4;
const SEVERAL = -1;

/** Reads liberties on the board of a playout. */
export class Tactics {
  readonly #stride: number;
  readonly #on: PlayoutBoard;
  /** The chains beside a move of the mover. */
  readonly #friends = new Int16Array(4);

  constructor({ stride }: GoBoard, on: PlayoutBoard) {
    this.#stride = stride;
    this.#on = on;
  }

  /** The only liberty of the chain with this head, or 0 if it has several. */
  onlyLiberty(head: number): number {
    if (this.#on.pseudo[head]! > MOST_PSEUDO_IN_ATARI) return 0;
    const liberty = this.#onlyOne(head, 0, 0);
    return liberty === SEVERAL ? 0 : liberty;
  }

  /**
   * The only liberty of a chain, counted together with `first`: a liberty that is known, or 0 for none. The cell `but` does
   * not count. SEVERAL for more than one, 0 for none.
   */
  #onlyOne(head: number, first: number, but: number): number {
    const stride = this.#stride;
    const { colour, next } = this.#on;
    let found = first;
    let stone = head;
    do {
      const north = stone - stride;
      if (colour[north] === EMPTY && north !== found && north !== but) {
        if (found !== 0) return SEVERAL;
        found = north;
      }
      const west = stone - 1;
      if (colour[west] === EMPTY && west !== found && west !== but) {
        if (found !== 0) return SEVERAL;
        found = west;
      }
      const east = stone + 1;
      if (colour[east] === EMPTY && east !== found && east !== but) {
        if (found !== 0) return SEVERAL;
        found = east;
      }
      const south = stone + stride;
      if (colour[south] === EMPTY && south !== found && south !== but) {
        if (found !== 0) return SEVERAL;
        found = south;
      }
      stone = next[stone]!;
    } while (stone !== head);
    return found;
  }

  /**
   * Whether a move that the mover may play captures nothing and leaves a chain of more than `most` stones with one
   * liberty.
   */
  isSelfAtari(cell: number, mover: number, most: number): boolean {
    const stride = this.#stride;
    const { colour, head, pseudo, stones } = this.#on;
    let free = 0;
    let liberty = 0;
    for (let side = 0; side < 4; side++) {
      const beside = neighbour(cell, side, stride);
      if (colour[beside] !== EMPTY) continue;
      liberty = beside;
      if (++free === 2) return false;
    }
    const friends = this.#friends;
    let friendly = 0;
    let size = 1;
    let all = free;
    for (let side = 0; side < 4; side++) {
      const beside = neighbour(cell, side, stride);
      const there = colour[beside]!;
      if (there === EMPTY || there === EDGE) continue;
      const chain = head[beside]!;
      if (there !== mover) {
        if (pseudo[chain]! <= MOST_PSEUDO_IN_ATARI && this.#lastHere(chain, cell)) return false;
        continue;
      }
      all--;
      if (
        (friendly > 0 && friends[0] === chain) ||
        (friendly > 1 && friends[1] === chain) ||
        (friendly > 2 && friends[2] === chain)
      )
        continue;
      friends[friendly++] = chain;
      size += stones[chain]!;
      all += pseudo[chain]!;
    }
    if (size <= most || all > MOST_PSEUDO_IN_ATARI) return false;
    for (let i = 0; i < friendly; i++) {
      liberty = this.#onlyOne(friends[i]!, liberty, cell);
      if (liberty === SEVERAL) return false;
    }
    return true;
  }

  /** Whether all pseudo-liberties of a chain are at this cell. */
  #lastHere(chain: number, cell: number): boolean {
    return this.#beside(chain, cell) === this.#on.pseudo[chain];
  }

  /** How many neighbours of a cell are stones of a chain. */
  #beside(chain: number, cell: number): number {
    const stride = this.#stride;
    const { head } = this.#on;
    return (
      (head[cell - stride] === chain ? 1 : 0) +
      (head[cell - 1] === chain ? 1 : 0) +
      (head[cell + 1] === chain ? 1 : 0) +
      (head[cell + stride] === chain ? 1 : 0)
    );
  }
}
