import { BORDER, type BlokusBoard, sizeOfPiece } from "./board.ts";
import { largestOf, MEASURES, movesFeature, pointsFeature } from "./measures.ts";
import { bitCount } from "../bits.ts";
import {
  LOWER,
  NODE_WORDS,
  PIECE,
  PIECE_BIT,
  PIECES_BELOW,
  pointNodes,
  SKIP,
  UPPER,
  windowLower,
  windowUpper,
} from "./point-tree.ts";
import { BlokusFeaturesAhead } from "./features-ahead.ts";
import type { BlokusState } from "./state.ts";
import type { Features } from "../game.ts";

/**
 * The features of a Blokus position for two seats: `one`, `to move` (1 if the seat itself is), and for the seat and
 * for its opponent
 *
 * - `placed`: squares laid, in parts of the 89;
 * - `largest`: squares of the largest piece in hand, in fifths;
 * - `points`: attach points, the cells at a corner of its own pieces that it may cover, in parts of 32;
 * - `reach`: cells that it may cover within a piece's length of an attach point (as many steps from edge to edge as its
 *   largest piece has squares, less one), in parts of the board;
 * - `nearer`: cells that it reaches before its opponent does, in king's steps over cells that it may cover from its
 *   attach points, in parts of the board;
 * - `sole`: cells that it reaches so, and its opponent never, in parts of the board;
 * - `moves of 5`, `moves of 4`, `moves of 1-3`: its legal moves n by the size of the piece, if it were to move, as
 *   log(1 + n) / log(1 + 1024).
 */
export function blokusFeatures(board: BlokusBoard): Features<BlokusState> {
  if (board.players !== 2) throw new RangeError("the features of Blokus are those of two seats");
  const names = ["own", "their"].flatMap((side) => MEASURES.map((measure) => `${side} ${measure}`));
  const meter = new Meter(board);
  return {
    names: ["one", "to move", ...names],
    write(state, seat, out) {
      out[0] = 1;
      out[1] = state.toMove === seat ? 1 : 0;
      meter.side(state, seat, out, 2);
      meter.side(state, 1 - seat, out, 2 + MEASURES.length);
      meter.race(state, seat, out, 2 + MEASURES.indexOf("nearer"), MEASURES.length);
    },
    ahead: () => new BlokusFeaturesAhead(board),
  };
}

/** Computes the features of positions, in buffers of its own. */
class Meter {
  readonly #board: BlokusBoard;
  readonly #cells: number;
  /** By size of the piece: the legal moves counted last. */
  readonly #moves = new Int32Array(6);
  /** By row: the cells that no further placement may cover while moves are counted. */
  readonly #blocked: Int32Array;
  /** By row, borders included: the cells reached by each of the two. */
  readonly #own: Int32Array;
  readonly #their: Int32Array;
  readonly #settled: Int32Array;

  constructor(board: BlokusBoard) {
    this.#board = board;
    this.#cells = board.size * board.size;
    this.#blocked = new Int32Array(board.rows);
    this.#own = new Int32Array(board.rows);
    this.#their = new Int32Array(board.rows);
    this.#settled = new Int32Array(board.rows);
  }

  /** Writes the features that depend on one seat alone. */
  side(state: BlokusState, seat: number, out: Float64Array, at: number): void {
    const moves = this.#moves;
    const largest = largestOf(state.left[seat]!);
    this.#countMoves(state, seat);
    out[at] = state.placed[seat]! / this.#board.squares;
    out[at + 1] = largest / 5;
    this.#begin(state, seat, this.#own);
    out[at + 2] = pointsFeature(this.#count(this.#own));
    for (let step = 1; step < largest; step++) this.#spread(state, seat, this.#own, false);
    out[at + 3] = this.#count(this.#own) / this.#cells;
    out[at + 6] = movesFeature[moves[5]!]!;
    out[at + 7] = movesFeature[moves[4]!]!;
    out[at + 8] = movesFeature[moves[3]! + moves[2]! + moves[1]!]!;
  }

  /** Writes the features that compare the two seats: those of the seat at `at`, those of its opponent `stride` behind. */
  race(state: BlokusState, seat: number, out: Float64Array, at: number, stride: number): void {
    const own = this.#own;
    const their = this.#their;
    const settled = this.#settled;
    const end = BORDER + this.#board.size;
    this.#begin(state, seat, own);
    this.#begin(state, 1 - seat, their);
    settled.fill(0);
    let ownNearer = 0;
    let theirNearer = 0;
    for (let moving = true; moving;) {
      for (let row = BORDER; row < end; row++) {
        const ownNew = own[row]! & ~settled[row]!;
        const theirNew = their[row]! & ~settled[row]!;
        ownNearer += bitCount(ownNew & ~theirNew);
        theirNearer += bitCount(theirNew & ~ownNew);
        settled[row] = own[row]! | their[row]!;
      }
      const ownMoved = this.#spread(state, seat, own, true);
      moving = this.#spread(state, 1 - seat, their, true) || ownMoved;
    }
    let ownSole = 0;
    let theirSole = 0;
    for (let row = BORDER; row < end; row++) {
      ownSole += bitCount(own[row]! & ~their[row]!);
      theirSole += bitCount(their[row]! & ~own[row]!);
    }
    out[at] = ownNearer / this.#cells;
    out[at + 1] = ownSole / this.#cells;
    out[at + stride] = theirNearer / this.#cells;
    out[at + stride + 1] = theirSole / this.#cells;
  }

  /**
   * Counts the legal moves of a seat by size. Each move is found at the first of its attach points, because an attach
   * point is blocked once it has been looked at.
   */
  #countMoves({ corners, forbidden, left }: BlokusState, seat: number): void {
    const { players, rows, size } = this.#board;
    const moves = this.#moves;
    const blocked = this.#blocked;
    const pieces = left[seat]!;
    moves.fill(0);
    if (pieces === 0) return;
    for (let row = 0, at = seat; row < rows; row++, at += players) blocked[row] = forbidden[at]!;
    for (let row = BORDER; row < BORDER + size; row++) {
      let open = corners[row * players + seat]! & ~blocked[row]!;
      while (open !== 0) {
        const bit = open & -open;
        open ^= bit;
        const x = 31 - Math.clz32(bit) - BORDER;
        const upper = windowUpper(blocked, row, 1, x);
        const lower = windowLower(blocked, row, 1, x);
        blocked[row] = blocked[row]! | bit;
        let node = 0;
        while (node < pointNodes.length) {
          if (
            ((upper & pointNodes[node + UPPER]!) | (lower & pointNodes[node + LOWER]!)) !== 0 ||
            (pieces & pointNodes[node + PIECES_BELOW]!) === 0
          ) {
            node = pointNodes[node + SKIP]!;
            continue;
          }
          if ((pieces & pointNodes[node + PIECE_BIT]!) !== 0) {
            const squares = sizeOfPiece[pointNodes[node + PIECE]!]!;
            moves[squares] = moves[squares]! + 1;
          }
          node += NODE_WORDS;
        }
      }
    }
  }

  /** Sets the attach points of a seat; none if it has no piece left. */
  #begin({ corners, forbidden, left }: BlokusState, seat: number, reached: Int32Array): void {
    const { players, size } = this.#board;
    const some = left[seat] === 0 ? 0 : -1;
    for (let row = BORDER, at = BORDER * players + seat; row < BORDER + size; row++, at += players)
      reached[row] = corners[at]! & ~forbidden[at]! & some;
  }

  /** Adds the neighbours that the seat may cover, with `corners` also those at corners; returns whether there were any. */
  #spread({ forbidden }: BlokusState, seat: number, reached: Int32Array, corners: boolean): boolean {
    const { players, size } = this.#board;
    let above = 0;
    let added = 0;
    for (let row = BORDER, at = BORDER * players + seat; row < BORDER + size; row++, at += players) {
      const here = reached[row]!;
      const vertical = above | reached[row + 1]!;
      const level = here | (corners ? vertical : 0);
      const wider = (here | vertical | (level << 1) | (level >>> 1)) & ~forbidden[at]!;
      added |= wider & ~here;
      above = here;
      reached[row] = here | wider;
    }
    return added !== 0;
  }

  #count(reached: Int32Array): number {
    let count = 0;
    for (let row = BORDER; row < BORDER + this.#board.size; row++) count += bitCount(reached[row]!);
    return count;
  }
}
