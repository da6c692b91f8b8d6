import { bitCount } from "../bits.ts";
import type { Random } from "../../random.ts";
import { actionAt, type BlokusBoard, sizeOfPiece } from "./board.ts";
import { type NearPlacements, nearPlacements, PIECES } from "./near-placements.ts";
import { OpenCorners } from "./open-corners.ts";
import type { BlokusState } from "./state.ts";
import type { Playouts } from "../game.ts";

/** Number of tries after which all moves are listed: cheaper than listing, and enough while a seat has many moves. */
const TRIALS = 10;

/**
 * Below this number of placements of pieces in hand around the mover's corners, all moves are listed at once: listing is
 * quick, and most tries would fail. The number is estimated from the placements of all pieces.
 */
const FEW = 100;

/** By size, from 5 squares down: its first piece; pieces are in order of size. And the end. */
const FIRST = [5, 4, 3, 2, 1].map((size) => sizeOfPiece.indexOf(size)).concat(PIECES);
/** By size, from 5 squares down: its pieces, one bit each. */
const OF_SIZE = Array.from({ length: 5 }, (_, i) =>
  sizeOfPiece.reduce((bits, size, piece) => (size === 5 - i ? bits | (1 << piece) : bits), 0),
);

const SIZES = 5;

/** Draws moves for playouts of a board. */
export function blokusPlayouts(board: BlokusBoard): Playouts<BlokusState> {
  const drawing = new Drawing(board);
  return {
    uniform: (state, random) => drawing.uniform(state, random),
    preferred: (state, random) => drawing.preferred(state, random),
  };
}

/**
 * Draws moves by trial: an open corner and a placement that covers it, both at random, until the placement is legal. After
 * some failures it draws from a list of all moves.
 *
 * A placement that covers several open corners counts at the first of them only, so all legal moves are equally likely.
 * The twelve cells around a corner rule out most illegal placements. So a few tries are enough while a seat has many
 * moves; and when it has few, the placements around all its corners are quickly listed.
 */
class Drawing {
  readonly #board: BlokusBoard;
  readonly #placements: NearPlacements;
  readonly #corners: OpenCorners;
  /** The place of the largest pieces of this game in `FIRST`. */
  readonly #largest: number;
  readonly #found: Int32Array;

  constructor(board: BlokusBoard) {
    this.#board = board;
    this.#placements = nearPlacements();
    this.#corners = new OpenCorners(board);
    this.#largest = SIZES - board.largest;
    this.#found = new Int32Array(board.actions);
  }

  uniform(state: BlokusState, random: Random): number {
    this.#corners.find(state);
    const placement = this.#try(state, random, this.#largest, SIZES);
    if (placement >= 0) return this.#action(placement);
    const count = this.#corners.list(state, state.left[state.toMove]!, this.#found);
    return this.#action(this.#found[random.below(count)]!);
  }

  preferred(state: BlokusState, random: Random): number {
    const pieces = this.#corners.find(state);
    let size = this.#largest;
    let count = 0;
    for (let tried = false; count === 0; size++) {
      if ((pieces & OF_SIZE[size]!) === 0) continue;
      if (!tried) {
        const placement = this.#try(state, random, size, size + 1);
        if (placement >= 0) return this.#action(placement);
        tried = true;
      }
      count = this.#corners.list(state, state.left[state.toMove]! & OF_SIZE[size]!, this.#found);
    }
    return this.#action(this.#found[random.below(count)]!);
  }

  #action(placement: number): number {
    return actionAt(this.#board, placement >> 16, placement & 255, (placement >> 8) & 255);
  }

  /** A legal placement of the sizes `from` to `to` - 1, each with the same probability; -1 if none was found. */
  #try(state: BlokusState, random: Random, from: number, to: number): number {
    const { nodes, starts } = this.#placements;
    const { count, nearby } = this.#corners;
    const first = FIRST[from]!;
    const last = FIRST[to]!;
    let total = 0;
    for (let corner = 0; corner < count; corner++) {
      const around = nearby[corner]!;
      total += starts[around + last]! - starts[around + first]!;
    }
    const hand = state.left[state.toMove]! & (~0 << first) & ~(~0 << last);
    if (total * bitCount(hand) <= FEW * (last - first)) return -1;
    for (let trial = 0; trial < TRIALS; trial++) {
      let which = random.below(total);
      let corner = 0;
      for (;;) {
        const around = nearby[corner]!;
        const here = starts[around + last]! - starts[around + first]!;
        if (which < here) {
          which += starts[around + first]!;
          break;
        }
        which -= here;
        corner++;
      }
      const placement = this.#corners.placementOf(state, corner, nodes[which]!);
      if (placement >= 0) return placement;
    }
    return -1;
  }
}
