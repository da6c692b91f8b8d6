import { bitCount } from "../bits.ts";
import type { Random } from "../../random.ts";
import { actionAt, BORDER, type BlokusBoard, SHAPE_ROWS, shapeRows, sizeOfPiece } from "./board.ts";
import {
  NODE_WORDS,
  PIECE_BIT,
  nodeLower,
  nodeUpper,
  PIECE,
  PLACEMENT,
  POINT_NODES,
  pointNodes,
  windowLower,
  windowUpper,
} from "./point-tree.ts";
import type { BlokusState } from "./state.ts";
import type { Playouts } from "../game.ts";

/** Number of tries after which all moves are listed: cheaper than listing, and enough while a seat has many moves. */
const TRIALS = 10;

/**
 * Below this number of placements of pieces in hand around the mover's corners, all moves are listed at once: listing is
 * quick, and most tries would fail. The number is estimated from the placements of all pieces.
 */
const FEW = 100;

const PIECES = sizeOfPiece.length;
/** By size, from 5 squares down: its first piece; pieces are in order of size. And the end. */
const FIRST = [5, 4, 3, 2, 1].map((size) => sizeOfPiece.indexOf(size)).concat(PIECES);
/** By size, from 5 squares down: its pieces, one bit each. */
const OF_SIZE = Array.from({ length: 5 }, (_, i) =>
  sizeOfPiece.reduce((bits, size, piece) => (size === 5 - i ? bits | (1 << piece) : bits), 0),
);

/**
 * Which of the twelve cells at most two steps from a point are in a window, one bit each, from the window's words: row
 * -2, rows -1, 0, 1 and 2.
 */
function nearby(upper: number, lower: number): number {
  return (
    ((upper >> 6) & 1) |
    ((upper >> 10) & 0xe) |
    ((upper >> 14) & 0x30) |
    ((upper >> 15) & 0xc0) |
    ((lower << 6) & 0x700) |
    ((lower << 2) & 0x800)
  );
}

/** The same from bit rows: `at` is the row of the point. */
function nearbyIn(rows: Int32Array, at: number, stride: number, x: number): number {
  const here = rows[at]! >>> (x + 2);
  return (
    ((rows[at - 2 * stride]! >>> (x + 4)) & 1) |
    (((rows[at - stride]! >>> (x + 3)) & 7) << 1) |
    ((here & 3) << 4) |
    ((here & 0x18) << 3) |
    (((rows[at + stride]! >>> (x + 3)) & 7) << 8) |
    (((rows[at + 2 * stride]! >>> (x + 4)) & 1) << 11)
  );
}

/** In place of a window's upper word, which has 25 bits: the window has not been read yet. */
const UNKNOWN = -1;

const NEARBY = 4096;
const SIZES = 5;

/** The placements that cover a point, as far as the cells nearby leave them free. */
interface Placements {
  /** By set of blocked cells nearby, then by piece, larger ones first: the nodes that cover none of these cells. */
  readonly nodes: Int16Array;
  /** By set of blocked cells nearby and piece: where its nodes begin; the next place is their end. */
  readonly starts: Int32Array;
  /** By set of blocked cells nearby: the pieces that have a node, one bit each. */
  readonly pieces: Int32Array;
  /**
   * By node, two words: its cells in the upper and in the lower word of the window, and beside them its piece as one of
   * the bits that `gone` lays there.
   */
  readonly cells: Int32Array;
  /** By node: what to add to y << 8 | x of the point for the placement. */
  readonly offsets: Int32Array;
}

/** A set of pieces in the places that a window's words leave free: the last five above the 25 bits of the upper one, */
function upperGone(pieces: number): number {
  return ((pieces >> 16) & 31) << 25;
}

/** and the first sixteen above the 16 bits of the lower one. */
function lowerGone(pieces: number): number {
  return pieces << 16;
}

let known: Placements | undefined;

function placementsOfPoint(): Placements {
  const cells = new Int32Array(2 * POINT_NODES);
  const offsets = new Int32Array(POINT_NODES);
  const around = new Int32Array(POINT_NODES);
  const byPiece: number[][] = Array.from({ length: PIECES }, () => []);
  for (let node = 0; node < POINT_NODES; node++) {
    const words = node * NODE_WORDS;
    const piece = pointNodes[words + PIECE_BIT]!;
    cells[2 * node] = nodeUpper[node]! | upperGone(piece);
    cells[2 * node + 1] = nodeLower[node]! | lowerGone(piece);
    offsets[node] = pointNodes[words + PLACEMENT]!;
    around[node] = nearby(nodeUpper[node]!, nodeLower[node]!);
    byPiece[pointNodes[words + PIECE]!]!.push(node);
  }
  const starts = new Int32Array(NEARBY * PIECES + 1);
  const pieces = new Int32Array(NEARBY);
  const nodes: number[] = [];
  for (let blocked = 0; blocked < NEARBY; blocked++)
    for (let piece = 0; piece < PIECES; piece++) {
      starts[blocked * PIECES + piece] = nodes.length;
      for (const node of byPiece[piece]!) if ((around[node]! & blocked) === 0) nodes.push(node);
      if (nodes.length > starts[blocked * PIECES + piece]!) pieces[blocked]! |= 1 << piece;
    }
  starts[NEARBY * PIECES] = nodes.length;
  return { nodes: Int16Array.from(nodes), starts, pieces, cells, offsets };
}

/** Draws moves for playouts of a board. */
export function blokusPlayouts(board: BlokusBoard): Playouts<BlokusState> {
  const drawing = new Drawing(board, (known ??= placementsOfPoint()));
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
  readonly #placements: Placements;
  /** The place of the largest pieces of this game in `FIRST`. */
  readonly #largest: number;
  /** The mover's open corners, in the order of rows, then of columns. */
  #corners = 0;
  readonly #xs: Int32Array;
  readonly #ys: Int32Array;
  /** By open corner: the window around it, forbidden cells and pieces gone, and where `starts` has the cells nearby. */
  readonly #upper: Int32Array;
  readonly #lower: Int32Array;
  readonly #nearby: Int32Array;
  /** By open corner: the pieces that the cells nearby leave room for. */
  readonly #pieces: Int32Array;
  readonly #found: Int32Array;

  constructor(board: BlokusBoard, placements: Placements) {
    const cells = board.size ** 2;
    this.#board = board;
    this.#placements = placements;
    this.#largest = SIZES - board.largest;
    this.#xs = new Int32Array(cells);
    this.#ys = new Int32Array(cells);
    this.#upper = new Int32Array(cells);
    this.#lower = new Int32Array(cells);
    this.#nearby = new Int32Array(cells);
    this.#pieces = new Int32Array(cells);
    this.#found = new Int32Array(board.actions);
  }

  uniform(state: BlokusState, random: Random): number {
    this.#lookAround(state);
    const placement = this.#try(state, random, this.#largest, SIZES);
    if (placement >= 0) return this.#action(placement);
    return this.#action(this.#found[random.below(this.#list(state, this.#largest, SIZES))]!);
  }

  preferred(state: BlokusState, random: Random): number {
    const pieces = this.#lookAround(state);
    let size = this.#largest;
    let count = 0;
    for (let tried = false; count === 0; size++) {
      if ((pieces & OF_SIZE[size]!) === 0) continue;
      if (!tried) {
        const placement = this.#try(state, random, size, size + 1);
        if (placement >= 0) return this.#action(placement);
        tried = true;
      }
      count = this.#list(state, size, size + 1);
    }
    return this.#action(this.#found[random.below(count)]!);
  }

  #action(placement: number): number {
    return actionAt(this.#board, placement >> 16, placement & 255, (placement >> 8) & 255);
  }

  /**
   * Records the mover's open corners and the forbidden cells around them. Returns the pieces in its hand, one bit each,
   * that have room at some corner as far as the cells nearby tell.
   */
  #lookAround(state: BlokusState): number {
    if (state.toMove < 0) throw new RangeError("no move to draw: the game is over");
    const { players, size } = this.#board;
    const { forbidden, corners } = state;
    const { pieces } = this.#placements;
    let count = 0;
    let some = 0;
    let at = BORDER * players + state.toMove;
    for (let y = 0; y < size; y++, at += players) {
      let open = corners[at]! & ~forbidden[at]!;
      while (open !== 0) {
        const lowest = open & -open;
        open ^= lowest;
        const x = 31 - Math.clz32(lowest) - BORDER;
        this.#xs[count] = x;
        this.#ys[count] = y;
        this.#upper[count] = UNKNOWN;
        const around = nearbyIn(forbidden, at, players, x);
        some |= this.#pieces[count] = pieces[around]!;
        this.#nearby[count++] = around * PIECES;
      }
    }
    this.#corners = count;
    return some & state.left[state.toMove]!;
  }

  /** Fills in the window around a corner; returns its upper word. */
  #look(state: BlokusState, corner: number): number {
    const { players } = this.#board;
    const x = this.#xs[corner]!;
    const at = (this.#ys[corner]! + BORDER) * players + state.toMove;
    const gone = ~state.left[state.toMove]!;
    this.#lower[corner] = windowLower(state.forbidden, at, players, x) | lowerGone(gone);
    return (this.#upper[corner] = windowUpper(state.forbidden, at, players, x) | upperGone(gone));
  }

  /** A legal placement of the sizes `from` to `to` - 1, each with the same probability; -1 where none was found. */
  #try(state: BlokusState, random: Random, from: number, to: number): number {
    const { nodes, starts, cells, offsets } = this.#placements;
    const first = FIRST[from]!;
    const last = FIRST[to]!;
    let total = 0;
    for (let corner = 0; corner < this.#corners; corner++) {
      const around = this.#nearby[corner]!;
      total += starts[around + last]! - starts[around + first]!;
    }
    const hand = state.left[state.toMove]! & (~0 << first) & ~(~0 << last);
    if (total * bitCount(hand) <= FEW * (last - first)) return -1;
    for (let trial = 0; trial < TRIALS; trial++) {
      let which = random.below(total);
      let corner = 0;
      for (;;) {
        const around = this.#nearby[corner]!;
        const here = starts[around + last]! - starts[around + first]!;
        if (which < here) {
          which += starts[around + first]!;
          break;
        }
        which -= here;
        corner++;
      }
      const node = nodes[which]!;
      let upper = this.#upper[corner]!;
      if (upper === UNKNOWN) upper = this.#look(state, corner);
      if (((upper & cells[2 * node]!) | (this.#lower[corner]! & cells[2 * node + 1]!)) !== 0) continue;
      const placement = this.#placementAtFirst(state, corner, offsets[node]!);
      if (placement >= 0) return placement;
    }
    return -1;
  }

  /** Writes all legal placements of the sizes `from` to `to` - 1 to those found; returns their number. */
  #list(state: BlokusState, from: number, to: number): number {
    const { nodes, starts, cells, offsets } = this.#placements;
    const left = state.left[state.toMove]!;
    let hand = 0;
    for (let size = from; size < to; size++) hand |= left & OF_SIZE[size]!;
    let count = 0;
    for (let corner = 0; corner < this.#corners; corner++) {
      const here = hand & this.#pieces[corner]!;
      if (here === 0) continue;
      const around = this.#nearby[corner]!;
      let upper = this.#upper[corner]!;
      if (upper === UNKNOWN) upper = this.#look(state, corner);
      const lower = this.#lower[corner]!;
      for (let pieces = here; pieces !== 0; pieces &= pieces - 1) {
        const piece = 31 - Math.clz32(pieces & -pieces);
        const end = starts[around + piece + 1]!;
        for (let i = starts[around + piece]!; i < end; i++) {
          const node = nodes[i]!;
          if (((upper & cells[2 * node]!) | (lower & cells[2 * node + 1]!)) !== 0) continue;
          const placement = this.#placementAtFirst(state, corner, offsets[node]!);
          if (placement >= 0) this.#found[count++] = placement;
        }
      }
    }
    return count;
  }

  /** The placement of a node at an open corner, if this is the first open corner that it covers; else -1. */
  #placementAtFirst(state: BlokusState, corner: number, from: number): number {
    const x = this.#xs[corner]!;
    const y = this.#ys[corner]!;
    const { players } = this.#board;
    const placement = ((y << 8) | x) + from;
    const shift = (placement & 255) + BORDER - 1;
    let row = (placement >> 8) & 255;
    let at = (row + BORDER) * players + state.toMove;
    let shape = (placement >> 16) * SHAPE_ROWS + 1;
    // All its squares are free, so a corner among them is an open one.
    for (; row < y; row++, at += players, shape++)
      if ((state.corners[at]! & (shapeRows[shape]! << shift)) !== 0) return -1;
    const before = (1 << (x + BORDER)) - 1;
    return (state.corners[at]! & (shapeRows[shape]! << shift) & before) === 0 ? placement : -1;
  }
}
