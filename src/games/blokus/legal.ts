import { bitCount } from "../bits.ts";
import {
  BORDER,
  type BlokusBoard,
  heightOfOrientation,
  pieceOfOrientation,
  SHAPE_ROWS,
  shapeBits,
  shapeRows,
} from "./board.ts";
import { MONOMINO } from "./pieces.ts";
import {
  LOWER,
  NODE_WORDS,
  PIECE_BIT,
  PIECES_BELOW,
  PLACEMENT,
  pointNodes,
  SKIP,
  UPPER,
  windowLower,
  windowUpper,
} from "./point-tree.ts";
import type { BlokusState } from "./state.ts";

/**
 * Size of the buffers for legal moves. When all seats played to give one of them many moves it had 1,307 (in Duo
 * 1,135) at most; random games stay below 900. `BlokusMoveSet.list` throws if there are more than fit.
 */
export const MOST_LEGAL = 2048;

/** Whether a seat has a legal move. */
export function hasMove(state: BlokusState, board: BlokusBoard, seat: number): boolean {
  const { players, size } = board;
  const { forbidden, corners } = state;
  const left = state.left[seat]!;
  if (left === 0) return false;
  const nodes = pointNodes;
  for (let y = 0; y < size; y++) {
    const at = (y + BORDER) * players + seat;
    let open = corners[at]! & ~forbidden[at]!;
    if (open !== 0 && (left >> MONOMINO) & 1) return true;
    while (open !== 0) {
      const x = 31 - Math.clz32(open) - BORDER;
      open ^= 1 << (x + BORDER);
      const upper = windowUpper(forbidden, at, players, x);
      const lower = windowLower(forbidden, at, players, x);
      let node = 0;
      while (node < nodes.length) {
        if (
          ((upper & nodes[node + UPPER]!) | (lower & nodes[node + LOWER]!)) !== 0 ||
          (left & nodes[node + PIECES_BELOW]!) === 0
        )
          node = nodes[node + SKIP]!;
        else if ((left & nodes[node + PIECE_BIT]!) !== 0) return true;
        else node += NODE_WORDS;
      }
    }
  }
  return false;
}

/** Whether an action is legal for a seat, to move or not. */
export function isLegal(state: BlokusState, board: BlokusBoard, seat: number, action: number): boolean {
  const placement = board.placements[action]!;
  const orientation = placement >> 16;
  if (((state.left[seat]! >> pieceOfOrientation[orientation]!) & 1) === 0) return false;
  if (!fits(state.forbidden, board.players, seat, placement)) return false;
  const shift = (placement & 255) + BORDER - 1;
  let at = (((placement >> 8) & 255) + BORDER) * board.players + seat;
  for (let row = 1; row <= heightOfOrientation[orientation]!; row++, at += board.players)
    if ((state.corners[at]! & (shapeRows[orientation * SHAPE_ROWS + row]! << shift)) !== 0) return true;
  return false;
}

/** Whether none of a placement's squares is in a seat's bit rows. */
function fits(rows: Int32Array, players: number, seat: number, placement: number): boolean {
  // Always five rows, without a branch: a loop over the height of the shape is mispredicted.
  const shape = shapeBits[placement >> 16]!;
  const shift = (placement & 255) + BORDER;
  const at = (((placement >> 8) & 255) + BORDER) * players + seat;
  return (
    ((((rows[at]! >>> shift) & shape) |
      ((rows[at + players]! >>> shift) & (shape >> 5)) |
      ((rows[at + 2 * players]! >>> shift) & (shape >> 10)) |
      ((rows[at + 3 * players]! >>> shift) & (shape >> 15)) |
      ((rows[at + 4 * players]! >>> shift) & (shape >> 20))) &
      31) ===
    0
  );
}

/** A set of actions that lists them in increasing order; empty between uses. */
export class BlokusMoveSet {
  readonly #board: BlokusBoard;
  /** One bit an action. */
  readonly #words: Int32Array;
  /** One bit a word that is not 0. */
  readonly #index: Int32Array;

  constructor(board: BlokusBoard) {
    this.#board = board;
    this.#words = new Int32Array((board.actions + 31) >> 5);
    this.#index = new Int32Array((this.#words.length + 31) >> 5);
  }

  /** Writes a seat's legal actions in increasing order; returns their number. Throws if `out` is too small. */
  list(state: BlokusState, seat: number, out: Int32Array): number {
    this.#collect(state, seat);
    let count = 0;
    const index = this.#index;
    const words = this.#words;
    for (let i = 0; i < index.length; i++) {
      let used = index[i]!;
      index[i] = 0;
      while (used !== 0) {
        // The lowest bit set.
        const w = 31 - Math.clz32(used & -used);
        used &= used - 1;
        const word = (i << 5) | w;
        let bits = words[word]!;
        words[word] = 0;
        while (bits !== 0) {
          out[count++] = (word << 5) | (31 - Math.clz32(bits & -bits));
          bits &= bits - 1;
        }
      }
    }
    if (count > out.length)
      throw new RangeError(`${count} legal moves in a position of Blokus, and room for ${out.length} only`);
    return count;
  }

  /** The number of a seat's legal actions. */
  count(state: BlokusState, seat: number): number {
    this.#collect(state, seat);
    let count = 0;
    const index = this.#index;
    const words = this.#words;
    for (let i = 0; i < index.length; i++) {
      let used = index[i]!;
      index[i] = 0;
      while (used !== 0) {
        const word = (i << 5) | (31 - Math.clz32(used & -used));
        used &= used - 1;
        count += bitCount(words[word]!);
        words[word] = 0;
      }
    }
    return count;
  }

  #collect(state: BlokusState, seat: number): void {
    const { players, size, first, across } = this.#board;
    const { forbidden, corners } = state;
    const words = this.#words;
    const index = this.#index;
    const nodes = pointNodes;
    const left = state.left[seat]!;
    for (let y = 0; y < size; y++) {
      const at = (y + BORDER) * players + seat;
      let open = corners[at]! & ~forbidden[at]!;
      while (open !== 0) {
        const x = 31 - Math.clz32(open) - BORDER;
        open ^= 1 << (x + BORDER);
        const upper = windowUpper(forbidden, at, players, x);
        const lower = windowLower(forbidden, at, players, x);
        const point = (y << 8) | x;
        let node = 0;
        while (node < nodes.length) {
          if (
            ((upper & nodes[node + UPPER]!) | (lower & nodes[node + LOWER]!)) !== 0 ||
            (left & nodes[node + PIECES_BELOW]!) === 0
          ) {
            node = nodes[node + SKIP]!;
            continue;
          }
          if ((left & nodes[node + PIECE_BIT]!) !== 0) {
            const placement = point + nodes[node + PLACEMENT]!;
            const orientation = placement >> 16;
            const action =
              first[orientation]! + ((placement >> 8) & 255) * across[orientation]! + (placement & 255);
            words[action >> 5] = words[action >> 5]! | (1 << (action & 31));
            index[action >> 10] = index[action >> 10]! | (1 << ((action >> 5) & 31));
          }
          node += NODE_WORDS;
        }
      }
    }
  }
}
