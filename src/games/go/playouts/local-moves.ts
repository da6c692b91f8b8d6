import type { Random } from "../../../random.ts";
import { BLACK, EMPTY, type GoBoard, MOST_CELLS, WHITE } from "../board.ts";
import type { PlayoutBoard } from "./playout-board.ts";
import { localShapes, ringCode } from "./shapes.ts";
import { Tactics } from "./tactics.ts";

/** A move at random is drawn again if it puts more own stones than this into atari, without a capture. */
const MOST_STONES_IN_SELF_ATARI = 1;

/**
 * Moves of playouts that answer the last move, on the board of a playout. The first of these sets that is not empty gives the
 * move, each of its points with the same probability:
 *
 * 1. where the last move put chains of the mover beside it into atari, or left its own chain in atari: moves that take them
 *    out of atari by extension to two or more liberties, or by the capture of a chain beside them, and the capture of the chain
 *    of the last move
 * 2. the points around the last move where the mover has a shape (`shapes.ts`) and no chain of its own is left with one liberty
 * 3. captures of any chain in atari
 * 4. all moves that fill no own eye, without self-atari
 *
 * Source: S. Gelly, Y. Wang, R. Munos and O. Teytaud, *Modification of UCT with patterns in Monte-Carlo Go* (2006), section
 * 3.2: these are its playouts, with self-atari left out.
 */
export class LocalMoves {
  readonly #stride: number;
  readonly #on: PlayoutBoard;
  readonly #tactics: Tactics;
  readonly #shapes: Uint8Array;
  readonly #rejects: (cell: number, colour: number) => boolean;
  /** The points of the set that is being made; the first `#count` count, in increasing order. */
  readonly #points = new Int16Array(MOST_CELLS);
  #count = 0;
  /** The cell of the last move; 0 for a pass, or none. */
  #last = 0;
  /** The liberty of the last move's chain, if that is in atari, else 0. */
  #libertyOfLast = 0;
  /** The chains beside the last move that it put into atari, and the liberty of each; the first `#attackedCount` count. */
  readonly #attacked = new Int16Array(4);
  readonly #liberties = new Int16Array(4);
  #attackedCount = 0;
  /** A stone of each chain in atari, and of some others; the first `#chainCount` count. */
  readonly #chains = new Int16Array(4 * MOST_CELLS);
  #chainCount = 0;

  constructor(board: GoBoard, on: PlayoutBoard) {
    this.#stride = board.stride;
    this.#on = on;
    const tactics = new Tactics(board, on);
    this.#tactics = tactics;
    this.#shapes = localShapes();
    this.#rejects = (cell, colour) => tactics.isSelfAtari(cell, colour, MOST_STONES_IN_SELF_ATARI);
  }

  /** Sets out from a board that has been set up, after a move on `last` (0: a pass, or none). */
  start({ points, cellOf }: GoBoard, last: number): void {
    this.#chainCount = 0;
    const { head, colour } = this.#on;
    for (let point = 0; point < points; point++) {
      const cell = cellOf[point]!;
      if (head[cell] === cell && this.#tactics.onlyLiberty(cell) !== 0)
        this.#chains[this.#chainCount++] = cell;
    }
    if (last !== 0 && colour[last] !== EMPTY) this.follow(last, colour[last]!);
    else this.pass();
  }

  /** Draws the cell of a move for the side that did not make the last move; 0 for a pass. */
  draw(colour: number, random: Random): number {
    this.#count = 0;
    const last = this.#last;
    if (last !== 0) {
      if (this.#libertyOfLast !== 0 && this.#libertyOfLast !== this.#on.ko) this.#add(this.#libertyOfLast);
      for (let i = 0; i < this.#attackedCount; i++)
        this.#findRescues(this.#attacked[i]!, this.#liberties[i]!, colour);
      if (this.#count === 0) this.#findShapes(colour, last);
    }
    if (this.#count === 0 && this.#chainCount > 0) this.#findCaptures(colour);
    if (this.#count > 0) return this.#points[this.#count === 1 ? 0 : random.below(this.#count)]!;
    return this.#on.draw(colour, random, this.#rejects);
  }

  /** Follows a pass. */
  pass(): void {
    this.#last = 0;
  }

  /** Follows a move that has just been played on a cell. */
  follow(cell: number, colour: number): void {
    const { head } = this.#on;
    const stride = this.#stride;
    this.#last = cell;
    this.#libertyOfLast = this.#tactics.onlyLiberty(head[cell]!);
    if (this.#libertyOfLast !== 0) this.#chains[this.#chainCount++] = cell;
    this.#attackedCount = 0;
    const other = BLACK + WHITE - colour;
    this.#noteAttack(cell - stride, other);
    this.#noteAttack(cell - 1, other);
    this.#noteAttack(cell + 1, other);
    this.#noteAttack(cell + stride, other);
  }

  /** Notes the chain on a cell, if it is of a colour and in atari. */
  #noteAttack(cell: number, colour: number): void {
    if (this.#on.colour[cell] !== colour) return;
    const chain = this.#on.head[cell]!;
    const attacked = this.#attacked;
    const count = this.#attackedCount;
    for (let i = 0; i < count; i++) if (attacked[i] === chain) return;
    const liberty = this.#tactics.onlyLiberty(chain);
    if (liberty === 0) return;
    attacked[count] = chain;
    this.#liberties[count] = liberty;
    this.#attackedCount++;
    this.#chains[this.#chainCount++] = chain;
  }

  /** Adds a point to the set. */
  #add(cell: number): void {
    const points = this.#points;
    let at = this.#count;
    while (at > 0 && points[at - 1]! > cell) at--;
    if (at > 0 && points[at - 1] === cell) return;
    for (let i = this.#count++; i > at; i--) points[i] = points[i - 1]!;
    points[at] = cell;
  }

  /** Moves that take a chain with this only liberty out of atari. */
  #findRescues(chain: number, liberty: number, colour: number): void {
    const { next } = this.#on;
    const stride = this.#stride;
    if (this.#on.fits(liberty, colour) && !this.#tactics.isSelfAtari(liberty, colour, 0)) this.#add(liberty);
    let stone = chain;
    do {
      this.#addCapture(stone - stride, colour);
      this.#addCapture(stone - 1, colour);
      this.#addCapture(stone + 1, colour);
      this.#addCapture(stone + stride, colour);
      stone = next[stone]!;
    } while (stone !== chain);
  }

  /** Adds the capture of the chain on a cell, if it is the opponent's and in atari. */
  #addCapture(cell: number, colour: number): void {
    if (this.#on.colour[cell] !== BLACK + WHITE - colour) return;
    const capture = this.#tactics.onlyLiberty(this.#on.head[cell]!);
    if (capture !== 0 && capture !== this.#on.ko) this.#add(capture);
  }

  #findShapes(colour: number, last: number): void {
    const stride = this.#stride;
    this.#tryShape(last - stride - 1, colour);
    this.#tryShape(last - stride, colour);
    this.#tryShape(last - stride + 1, colour);
    this.#tryShape(last - 1, colour);
    this.#tryShape(last + 1, colour);
    this.#tryShape(last + stride - 1, colour);
    this.#tryShape(last + stride, colour);
    this.#tryShape(last + stride + 1, colour);
  }

  #tryShape(cell: number, colour: number): void {
    const { colour: colours } = this.#on;
    if (colours[cell] !== EMPTY) return;
    if ((this.#shapes[ringCode(colours, this.#stride, cell)]! & colour) === 0) return;
    if (this.#on.fits(cell, colour) && !this.#tactics.isSelfAtari(cell, colour, 0))
      this.#points[this.#count++] = cell;
  }

  /** Captures of chains in atari; forgets the chains that no longer are. */
  #findCaptures(colour: number): void {
    const { head, colour: colours, ko } = this.#on;
    const chains = this.#chains;
    let kept = 0;
    for (let i = 0; i < this.#chainCount; i++) {
      const stone = chains[i]!;
      if (colours[stone] === EMPTY) continue;
      const chain = head[stone]!;
      const liberty = this.#tactics.onlyLiberty(chain);
      if (liberty === 0) continue;
      let twice = false;
      for (let j = 0; j < kept && !twice; j++) twice = head[chains[j]!] === chain;
      if (twice) continue;
      chains[kept++] = stone;
      if (colours[stone] !== colour && liberty !== ko) this.#add(liberty);
    }
    this.#chainCount = kept;
  }
}
