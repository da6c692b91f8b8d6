import type { BlokusBoard } from "./board.ts";
import { BORDER, pieceOfAction, sizeOfPiece } from "./board.ts";
import { bitCount } from "../bits.ts";
import { hasMove } from "./legal.ts";
import { LargestMoves } from "./largest.ts";
import { MONOMINO } from "./pieces.ts";
import type { BlokusState } from "./state.ts";
import type { Gains, Growth, Hash, PassTo, MoveBounds } from "../game.ts";

/** Makes a seat that has a move the seat to move. */
export function blokusPassTo(board: BlokusBoard): PassTo<BlokusState> {
  return (state, seat) => {
    if (state.toMove === seat) return true;
    if ((state.out >> seat) & 1 || !hasMove(state, board, seat)) return false;
    state.toMove = seat;
    return true;
  };
}

/**
 * The most that a seat can gain within some moves. `placed`: the squares of its largest pieces in hand. `score`: the same,
 * and a bonus if these are all its pieces: 20 with the single square in hand, which may come last, else 15.
 */
export function blokusGrowth(board: BlokusBoard, scoring: "advanced" | "basic"): Growth<BlokusState> {
  const score = (state: BlokusState, seat: number, moves: number): number => {
    const placed = growPlaced(state, seat, moves);
    const left = state.left[seat]!;
    if (scoring === "basic" || left === 0 || state.placed[seat]! + placed < board.squares) return placed;
    return placed + ((left >> MONOMINO) & 1 ? 20 : 15);
  };
  return { placed: growPlaced, score, returns: score };
}

/** Squares of the largest pieces in hand, which are those of the lowest bits. */
function growPlaced(state: BlokusState, seat: number, moves: number): number {
  let left = state.left[seat]!;
  let squares = 0;
  for (let move = 0; move < moves && left !== 0; move++) {
    const lowest = left & -left;
    squares += sizeOfPiece[31 - Math.clz32(lowest)]!;
    left ^= lowest;
  }
  return squares;
}

/** The gain of the best move. `placed`: the squares of the largest piece that can be laid. `score`: the bonus as well. */
export function blokusGains(board: BlokusBoard, scoring: "advanced" | "basic"): Gains<BlokusState> {
  const largest = new LargestMoves(board);
  const score = (state: BlokusState, seat: number): number => {
    const squares = largest.squares(state, seat);
    const left = state.left[seat]!;
    if (scoring === "basic" || squares < 0 || (left & (left - 1)) !== 0) return squares;
    return squares + ((left >> MONOMINO) & 1 ? 20 : 15);
  };
  return { placed: (state, seat) => largest.squares(state, seat), score, returns: score };
}

/** The most squares of a seat's corners that another piece takes. */
const PIECE_SQUARES = 5;

/**
 * The most moves of each seat within some plies. Consider a seat with the single square in hand, and more open corners
 * than the others could cover before it moves. It will not be passed over, so no other seat moves twice before it does.
 */
export function blokusMoveBounds(board: BlokusBoard): MoveBounds<BlokusState> {
  const { players } = board;
  return (state, plies, out) => {
    const { toMove, step } = state;
    let sure = 1 << toMove;
    if (plies > 1)
      for (let seat = 0; seat < players; seat++)
        if (seat !== toMove && opensCorners(state, board, seat, PIECE_SQUARES * (plies - 1)))
          sure |= 1 << seat;
    for (let seat = 0; seat < players; seat++) {
      out[seat] = 0;
      if (state.left[seat] === 0 || (state.out >> seat) & 1) continue;
      let waiting = sure;
      let mover = toMove;
      for (let ply = 0; ply < plies;) {
        if (mover === seat) {
          out[seat]!++;
          ply++;
        } else if ((waiting >> mover) & 1) {
          waiting ^= 1 << mover;
          ply++;
        }
        mover = (mover + step) % players;
      }
    }
  };
}

/** Whether a seat has the single square in hand and more than `cells` cells to lay it on. */
function opensCorners(state: BlokusState, board: BlokusBoard, seat: number, cells: number): boolean {
  if (((state.left[seat]! >> MONOMINO) & 1) === 0) return false;
  const { players, size } = board;
  const { corners, forbidden } = state;
  let open = 0;
  let at = BORDER * players + seat;
  for (let y = 0; y < size; y++, at += players) {
    const row = corners[at]! & ~forbidden[at]!;
    if (row === 0) continue;
    open += bitCount(row);
    if (open > cells) return true;
  }
  return false;
}

/**
 * A 64-bit hash of the placements in any order, the seat to move, the turn order, and the seats that laid the single
 * square last (Zobrist 1970, with words from a mixing function).
 */
export function blokusHash(board: BlokusBoard): Hash<BlokusState> {
  return (state, out) => {
    const { moves, plies, left } = state;
    let a = mix(state.toMove + 8 * state.step);
    let b = mix(~a);
    let last = 0;
    for (let ply = plies - 1; ply >= 0; ply--) {
      const move = moves[ply]!;
      a ^= mix(move + 0x10000);
      b ^= mix(Math.imul(move, 0x9e3779b1) ^ 0x51ed270b);
      const seat = move & 3;
      if (left[seat] !== 0 || (last >> seat) & 1) continue;
      // The last piece of a seat that has laid all its pieces; earlier pieces do not matter.
      last |= 1 << seat;
      if (pieceOfAction(board, move >> 2) === MONOMINO) b ^= mix(seat + 1);
    }
    out[0] = a;
    out[1] = b;
  };
}

/** The 32-bit finaliser of MurmurHash3. */
function mix(h: number): number {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
