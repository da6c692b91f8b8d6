import type { Random } from "../random.ts";
import {
  actionAt,
  BORDER,
  type BlokusBoard,
  cornerRows,
  heightOfOrientation,
  pieceOfOrientation,
  SHAPE_ROWS,
  sizeOfPiece,
} from "./blokus-board.ts";
import { fits } from "./blokus-legal.ts";
import { blokusOrientations, blokusPieces } from "./blokus-pieces.ts";
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
} from "./blokus-point-tree.ts";
import type { BlokusState } from "./blokus-state.ts";
import type { Playouts } from "./game.ts";

/**
 * What playouts draw from: by seat and piece, every legal placement once, and others that were legal some time ago.
 *
 * What is illegal stays so, and new moves come only with corners of a seat's own new piece; so a seat's lists are
 * brought up to date on its turn by the placements that cover a new corner and no earlier one. A draw that hits a
 * placement no longer legal drops it and draws again: the legal ones stay equally likely.
 */
export interface BlokusCandidates {
  /** Whether the lists follow the state; false after the state has been overwritten. */
  current: boolean;
  /** Whether copies of the state get copies of the lists. */
  copied: boolean;
  /** By row and seat: corners whose placements are in the lists, in bit rows as in the state. */
  readonly done: Int32Array;
  /** By seat: the number of plies of the state of which the lists know, or -1. */
  readonly known: Int32Array;
  /** Row-major [seat, piece]: the number of placements in the list. */
  readonly counts: Int32Array;
  /** Row-major [seat, piece]: where the list begins in `placements`. */
  readonly starts: Int32Array;
  /** The lists one after the other; a placement is orientation << 16 | y << 8 | x. */
  readonly placements: Int32Array;
}

/** Copies lists with the state that they are of. */
export function copyCandidates(from: BlokusCandidates, into: BlokusCandidates): void {
  const { counts, starts, placements } = from;
  into.current = true;
  into.done.set(from.done);
  into.known.set(from.known);
  into.counts.set(counts);
  for (let list = 0; list < counts.length; list++) {
    const start = starts[list]!;
    const end = start + counts[list]!;
    for (let at = start; at < end; at++) into.placements[at] = placements[at]!;
  }
}

const PIECES = blokusPieces.length;

/** Dropped placements in one draw after which all lists are swept: sweeping costs a fifth of drawing, an entry. */
const DROPS_BEFORE_SWEEP = 8;

/** By size of piece - 1: the first piece of that size or a smaller one; pieces are in order of size. */
const FIRST_OF_SIZE = [1, 2, 3, 4, 5].map((size) => sizeOfPiece.findIndex((each) => each <= size));

/** Draws moves for playouts of a board, from lists kept in the state. */
export function blokusPlayouts(board: BlokusBoard): Playouts<BlokusState> {
  const drawing = new Candidates(board);
  return {
    uniform: (state, random) => drawing.uniform(state, random),
    preferred: (state, random) => drawing.preferred(state, random),
    prepare: (state) => drawing.prepare(state),
  };
}

class Candidates {
  readonly #board: BlokusBoard;
  /** By piece: where its list begins among a seat's. */
  readonly #begin: Int32Array;
  readonly #starts: Int32Array;

  constructor(board: BlokusBoard) {
    this.#board = board;
    // No list can overflow: a placement is added once at most, as it covers but one earliest corner.
    this.#begin = new Int32Array(PIECES);
    for (const { piece, width, height } of blokusOrientations)
      for (let later = piece + 1; later < PIECES; later++)
        this.#begin[later]! += (board.size - width + 1) * (board.size - height + 1);
    this.#starts = Int32Array.from(
      { length: board.players * PIECES },
      (_, list) => Math.floor(list / PIECES) * board.actions + this.#begin[list % PIECES]!,
    );
  }

  prepare(state: BlokusState): void {
    for (let seat = 0; seat < this.#board.players; seat++) this.#follow(state, seat).copied = true;
  }

  uniform(state: BlokusState, random: Random): number {
    const lists = this.#follow(state, state.toMove);
    return this.#action(this.#draw(state, lists, 0, PIECES, random));
  }

  preferred(state: BlokusState, random: Random): number {
    const lists = this.#follow(state, state.toMove);
    let to = PIECES;
    let from = 0;
    for (let size = 5; size >= 1; size--, from = to) {
      to = size > 1 ? FIRST_OF_SIZE[size - 2]! : PIECES;
      const placement = this.#draw(state, lists, from, to, random);
      if (placement >= 0) return this.#action(placement);
    }
    return this.#action(-1);
  }

  #action(placement: number): number {
    if (placement < 0) throw new RangeError("no move to draw: the game is over");
    return actionAt(this.#board, placement >> 16, placement & 255, (placement >> 8) & 255);
  }

  /** One of the mover's legal placements of pieces `from` to `to` - 1, each with the same probability; -1 for none. */
  #draw(state: BlokusState, lists: BlokusCandidates, from: number, to: number, random: Random): number {
    const { actions, players } = this.#board;
    const { counts, placements } = lists;
    const begin = this.#begin;
    const seat = state.toMove;
    const countsAt = seat * PIECES;
    let total = 0;
    for (let piece = from; piece < to; piece++) total += counts[countsAt + piece]!;
    for (let drops = 1; total > 0; drops++) {
      let which = random.below(total);
      let piece = from;
      let count = counts[countsAt + piece]!;
      while (which >= count) {
        which -= count;
        count = counts[countsAt + ++piece]!;
      }
      const start = seat * actions + begin[piece]!;
      const placement = placements[start + which]!;
      if (fits(state.forbidden, players, seat, placement)) return placement;
      placements[start + which] = placements[start + --count]!;
      counts[countsAt + piece] = count;
      total = drops === DROPS_BEFORE_SWEEP ? this.#sweep(state, lists, from, to) : total - 1;
    }
    return -1;
  }

  /** Drops all of the mover's placements of some pieces that are not legal any more; returns how many are left. */
  #sweep(state: BlokusState, lists: BlokusCandidates, from: number, to: number): number {
    const { actions, players } = this.#board;
    const { counts, placements } = lists;
    const seat = state.toMove;
    let total = 0;
    for (let piece = from; piece < to; piece++) {
      const start = seat * actions + this.#begin[piece]!;
      const end = start + counts[seat * PIECES + piece]!;
      let kept = start;
      for (let at = start; at < end; at++) {
        const placement = placements[at]!;
        placements[kept] = placement;
        if (fits(state.forbidden, players, seat, placement)) kept++;
      }
      counts[seat * PIECES + piece] = kept - start;
      total += kept - start;
    }
    return total;
  }

  /** Brings a seat's lists up to date. */
  #follow(state: BlokusState, seat: number): BlokusCandidates {
    const { players, size, rows, actions, placements } = this.#board;
    const lists = (state.candidates ??= {
      current: false,
      copied: false,
      starts: this.#starts,
      done: new Int32Array(rows * players),
      known: new Int32Array(players),
      counts: new Int32Array(players * PIECES),
      placements: new Int32Array(players * actions),
    });
    if (!lists.current) {
      lists.current = true;
      lists.done.fill(0);
      lists.known.fill(-1);
      lists.counts.fill(0);
    }
    if (seat < 0) return lists;
    const known = lists.known[seat]!;
    lists.known[seat] = state.plies;
    if (known < 0) {
      for (let y = 0; y < size; y++) {
        const points = state.corners[(y + BORDER) * players + seat]!;
        if (points !== 0) this.#add(state, lists, seat, y, points);
      }
      return lists;
    }
    for (let ply = known; ply < state.plies; ply++) {
      const move = state.moves[ply]!;
      if ((move & 3) !== seat) continue;
      const placement = placements[move >> 2]!;
      const orientation = placement >> 16;
      lists.counts[seat * PIECES + pieceOfOrientation[orientation]!] = 0;
      const shift = (placement & 255) + BORDER - 1;
      const top = ((placement >> 8) & 255) - 1;
      for (let row = 0; row < heightOfOrientation[orientation]! + 2; row++) {
        const points = cornerRows[orientation * SHAPE_ROWS + row]! << shift;
        if (points !== 0) this.#add(state, lists, seat, top + row, points);
      }
    }
    return lists;
  }

  /** Adds the placements that cover one of a row's points and no corner whose placements have been added. */
  #add(state: BlokusState, lists: BlokusCandidates, seat: number, y: number, points: number): void {
    const { players, actions } = this.#board;
    const { forbidden } = state;
    const { done, counts, placements } = lists;
    const begin = this.#begin;
    const at = (y + BORDER) * players + seat;
    // Corners outside the board are forbidden like everything there.
    let open = points & ~forbidden[at]! & ~done[at]!;
    const left = state.left[seat]!;
    const nodes = pointNodes;
    const countsAt = seat * PIECES;
    const listsAt = seat * actions;
    while (open !== 0) {
      const x = 31 - Math.clz32(open) - BORDER;
      const bit = 1 << (x + BORDER);
      open ^= bit;
      const upper = windowUpper(forbidden, at, players, x) | windowUpper(done, at, players, x);
      const lower = windowLower(forbidden, at, players, x) | windowLower(done, at, players, x);
      done[at] = done[at]! | bit;
      const point = (y << 8) | x;
      let node = 0;
      while (node < nodes.length) {
        // One branch for both reasons to leave a node out: the second term is -1 where no piece is in hand.
        if (
          ((upper & nodes[node + UPPER]!) |
            (lower & nodes[node + LOWER]!) |
            (((left & nodes[node + PIECES_BELOW]!) - 1) >> 31)) !==
          0
        ) {
          node = nodes[node + SKIP]!;
          continue;
        }
        if ((left & nodes[node + PIECE_BIT]!) !== 0) {
          const piece = nodes[node + PIECE]!;
          const count = counts[countsAt + piece]!;
          placements[listsAt + begin[piece]! + count] = point + nodes[node + PLACEMENT]!;
          counts[countsAt + piece] = count + 1;
        }
        node += NODE_WORDS;
      }
    }
  }
}
