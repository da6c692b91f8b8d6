import { bitCount } from "../../bits.ts";
import { BORDER, type BlokusBoard, heightOfOrientation, SHAPE_ROWS, shapeRows } from "../board.ts";
import { NEARBY, nearbyIn, nearPlacements, PIECES } from "../near-placements.ts";
import { actionOfPly, type BlokusState, seatOfPly } from "../state.ts";

/** Classes of a cell for an opponent, the greater ones more valuable to it; 2 is one step from it, all others are 0. */
export const TWO_STEPS = 1;
export const NARROW_CORNER = 3;
export const WIDE_CORNER = 4;
/** Sets of cells of an opponent: one for each class above 0. */
const SETS = 4;

/** The stage of a game by the number of pieces that a seat has laid. */
const STAGE_OF = Uint8Array.from({ length: PIECES + 1 }, (_, laid) =>
  laid < 3 ? 0 : laid < 6 ? 1 : laid < 10 ? 2 : 3,
);

let rooms: Uint8Array | undefined;

/**
 * By set of blocked cells among the twelve at most two steps from a point: the class of the room there, 0 to 3. Room is the
 * number of placements through the point that cover none of these cells: up to 2, 15, 60, and more.
 */
export function roomClasses(): Uint8Array {
  const { starts } = nearPlacements();
  return (rooms ??= Uint8Array.from({ length: NEARBY }, (_, blocked) => {
    const room = starts[(blocked + 1) * PIECES]! - starts[blocked * PIECES]!;
    return room <= 2 ? 0 : room <= 15 ? 1 : room <= 60 ? 2 : 3;
  }));
}

/**
 * What the cells of a position are to the mover and its opponents, as bit rows: row y is word y + BORDER, column x is bit
 * x + BORDER. Opponents are numbered in turn order: 0 is the next seat.
 */
export class MoverView {
  readonly opponents: number;
  /** The mover's open corners. */
  readonly own: Int32Array;
  /**
   * By opponent and class - 1, the rows of the cells of that class: open corners of the opponent with and without room for
   * more than 15 placements, and the cells that it may cover at one and at two steps from edge to edge from these.
   */
  readonly sets: Int32Array;
  /** The stage of the game for the mover. */
  stage = 0;
  readonly #board: BlokusBoard;
  readonly #rooms: Uint8Array;

  constructor(board: BlokusBoard) {
    this.#board = board;
    this.opponents = board.players - 1;
    this.#rooms = roomClasses();
    this.own = new Int32Array(board.rows);
    this.sets = new Int32Array(this.opponents * SETS * board.rows);
  }

  /** Where the rows of a class of an opponent begin in `sets`. */
  rowsOf(opponent: number, kind: number): number {
    return (opponent * SETS + kind - 1) * this.#board.rows;
  }

  /** Takes a position that is not over. */
  look(state: BlokusState): void {
    const { players, pieces, size } = this.#board;
    const { corners, forbidden, left, step, toMove } = state;
    this.stage = STAGE_OF[pieces - bitCount(left[toMove]!)]!;
    for (let row = BORDER, at = BORDER * players + toMove; row < BORDER + size; row++, at += players)
      this.own[row] = corners[at]! & ~forbidden[at]!;
    for (let k = 0, seat = toMove; k < this.opponents; k++) {
      seat += step;
      if (seat >= players) seat -= players;
      if (left[seat] === 0 || (state.out >> seat) & 1) {
        const first = this.rowsOf(k, TWO_STEPS);
        this.sets.fill(0, first, first + SETS * this.#board.rows);
      } else this.#lookAt(state, seat, k);
    }
  }

  #lookAt({ corners, forbidden }: BlokusState, seat: number, opponent: number): void {
    const { players, rows, size } = this.#board;
    const { sets } = this;
    const two = this.rowsOf(opponent, TWO_STEPS);
    const one = two + rows;
    const narrow = one + rows;
    const wide = narrow + rows;
    const end = BORDER + size;
    for (let row = BORDER, at = BORDER * players + seat; row < end; row++, at += players) {
      const open = corners[at]! & ~forbidden[at]!;
      let roomy = 0;
      for (let rest = open; rest !== 0; rest &= rest - 1) {
        const bit = rest & -rest;
        if (this.#rooms[nearbyIn(forbidden, at, players, 31 - Math.clz32(bit) - BORDER)]! > 1) roomy |= bit;
      }
      sets[wide + row] = roomy;
      sets[narrow + row] = open ^ roomy;
    }
    for (let row = BORDER, at = BORDER * players + seat; row < end; row++, at += players) {
      const here = sets[wide + row]! | sets[narrow + row]!;
      const beside =
        (here << 1) |
        (here >>> 1) |
        sets[wide + row - 1]! |
        sets[narrow + row - 1]! |
        sets[wide + row + 1]! |
        sets[narrow + row + 1]!;
      sets[one + row] = beside & ~here & ~forbidden[at]!;
    }
    for (let row = BORDER, at = BORDER * players + seat; row < end; row++, at += players) {
      const here = sets[one + row]!;
      const beside = (here << 1) | (here >>> 1) | sets[one + row - 1]! | sets[one + row + 1]!;
      sets[two + row] = beside & ~here & ~sets[wide + row]! & ~sets[narrow + row]! & ~forbidden[at]!;
    }
  }
}

/** Adds the squares of a ply to bit rows of stride 1. */
export function addSquares(state: BlokusState, board: BlokusBoard, ply: number, rows: Int32Array): void {
  const placement = board.placements[actionOfPly(state, ply)]!;
  const shift = (placement & 255) + BORDER - 1;
  const shape = (placement >> 16) * SHAPE_ROWS;
  const first = ((placement >> 8) & 255) + BORDER - 1;
  for (let row = 1; row <= heightOfOrientation[placement >> 16]!; row++)
    rows[first + row] = rows[first + row]! | (shapeRows[shape + row]! << shift);
}

/** The number of an opponent in turn order, from the mover on. */
export function opponentNumber({ step, toMove }: BlokusState, seat: number, players: number): number {
  return (((seat - toMove) * step + players * players) % players) - 1;
}

/** The first of the plies since the mover's last one. */
export function firstReplied(state: BlokusState): number {
  let ply = state.plies;
  while (ply > 0 && seatOfPly(state, ply - 1) !== state.toMove) ply--;
  return ply;
}
