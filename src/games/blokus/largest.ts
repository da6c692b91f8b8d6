import { BORDER, type BlokusBoard, pieceOfOrientation, sizeOfPiece } from "./board.ts";
import { isLegal } from "./legal.ts";
import {
  LOWER,
  NODE_WORDS,
  PIECE,
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

/** How many placements of a seat are tried again. */
const REMEMBERED = 4;

/** By number of squares: the pieces with more, one bit a piece. */
const LARGER = Int32Array.from({ length: 6 }, (_, squares) =>
  sizeOfPiece.reduce((pieces, size, piece) => (size > squares ? pieces | (1 << piece) : pieces), 0),
);

/**
 * Finds the largest piece that a seat can lay, without listing its moves.
 *
 * Tries first what it found for the seat before, in whichever position: searches visit positions that differ in few
 * squares. That makes it faster and does not change the result.
 */
export class LargestMoves {
  readonly #board: BlokusBoard;
  /** By seat, `REMEMBERED` actions each, in a ring. */
  readonly #remembered: Int32Array;
  readonly #next: Int32Array;

  constructor(board: BlokusBoard) {
    this.#board = board;
    this.#remembered = new Int32Array(board.players * REMEMBERED);
    this.#next = new Int32Array(board.players);
  }

  /** The squares of the largest piece that a seat can lay, whether it is to move or not; -1 if it has no move. */
  squares(state: BlokusState, seat: number): number {
    const board = this.#board;
    const left = state.left[seat]!;
    if (left === 0) return -1;
    // Larger pieces have lower bits.
    const most = sizeOfPiece[31 - Math.clz32(left & -left)]!;
    const ring = seat * REMEMBERED;
    for (let i = ring; i < ring + REMEMBERED; i++) {
      const action = this.#remembered[i]!;
      const orientation = board.placements[action]! >> 16;
      if (sizeOfPiece[pieceOfOrientation[orientation]!] === most && isLegal(state, board, seat, action))
        return most;
    }
    return this.#find(state, seat, most);
  }

  #find(state: BlokusState, seat: number, most: number): number {
    const { players, size, first, across } = this.#board;
    const { forbidden, corners } = state;
    const nodes = pointNodes;
    let wanted = state.left[seat]!;
    let found = -1;
    for (let y = 0; y < size; y++) {
      const at = (y + BORDER) * players + seat;
      let open = corners[at]! & ~forbidden[at]!;
      while (open !== 0) {
        const x = 31 - Math.clz32(open) - BORDER;
        open ^= 1 << (x + BORDER);
        const upper = windowUpper(forbidden, at, players, x);
        const lower = windowLower(forbidden, at, players, x);
        let node = 0;
        while (node < nodes.length) {
          if (
            ((upper & nodes[node + UPPER]!) | (lower & nodes[node + LOWER]!)) !== 0 ||
            (wanted & nodes[node + PIECES_BELOW]!) === 0
          ) {
            node = nodes[node + SKIP]!;
            continue;
          }
          if ((wanted & nodes[node + PIECE_BIT]!) !== 0) {
            found = sizeOfPiece[nodes[node + PIECE]!]!;
            if (found === most) {
              const placement = ((y << 8) | x) + nodes[node + PLACEMENT]!;
              const orientation = placement >> 16;
              const next = this.#next[seat]!;
              this.#remembered[seat * REMEMBERED + next] =
                first[orientation]! + ((placement >> 8) & 255) * across[orientation]! + (placement & 255);
              this.#next[seat] = (next + 1) % REMEMBERED;
              return found;
            }
            wanted &= LARGER[found]!;
          }
          node += NODE_WORDS;
        }
      }
    }
    return found;
  }
}
