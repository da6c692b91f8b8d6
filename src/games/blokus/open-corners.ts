import { BORDER, type BlokusBoard, SHAPE_ROWS, shapeRows } from "./board.ts";
import {
  lowerGone,
  nearbyIn,
  type NearPlacements,
  nearPlacements,
  PIECES,
  upperGone,
} from "./near-placements.ts";
import { windowLower, windowUpper } from "./point-tree.ts";
import type { BlokusState } from "./state.ts";

/** In place of a window's upper word, which has 30 bits: the window has not been read yet. */
const UNKNOWN = -1;

/** The mover's open corners in a position, with what is around them. */
export class OpenCorners {
  /** Number of open corners, in the order of rows, then of columns. */
  count = 0;
  readonly xs: Int32Array;
  readonly ys: Int32Array;
  /** By open corner: where `NearPlacements.starts` has the set of forbidden cells nearby. */
  readonly nearby: Int32Array;
  /** By open corner: the pieces that the cells nearby leave room for. */
  readonly pieces: Int32Array;
  readonly #board: BlokusBoard;
  readonly #placements: NearPlacements;
  /** By open corner: the window around it, forbidden cells and pieces gone. */
  readonly #upper: Int32Array;
  readonly #lower: Int32Array;

  constructor(board: BlokusBoard) {
    const cells = board.size ** 2;
    this.#board = board;
    this.#placements = nearPlacements();
    this.xs = new Int32Array(cells);
    this.ys = new Int32Array(cells);
    this.nearby = new Int32Array(cells);
    this.pieces = new Int32Array(cells);
    this.#upper = new Int32Array(cells);
    this.#lower = new Int32Array(cells);
  }

  /** Finds the open corners of the mover. Returns the pieces in its hand, one bit each, that have room at some corner. */
  find(state: BlokusState): number {
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
        this.xs[count] = x;
        this.ys[count] = y;
        this.#upper[count] = UNKNOWN;
        const around = nearbyIn(forbidden, at, players, x);
        some |= this.pieces[count] = pieces[around]!;
        this.nearby[count++] = around * PIECES;
      }
    }
    this.count = count;
    return some & state.left[state.toMove]!;
  }

  /** The placement of a node at an open corner, if it is legal and this is the first open corner that it covers; else -1. */
  placementOf(state: BlokusState, corner: number, node: number): number {
    const { cells, offsets } = this.#placements;
    let upper = this.#upper[corner]!;
    if (upper === UNKNOWN) upper = this.#look(state, corner);
    return ((upper & cells[2 * node]!) | (this.#lower[corner]! & cells[2 * node + 1]!)) !== 0
      ? -1
      : this.#placementAtFirst(state, corner, offsets[node]!);
  }

  /** Writes the legal placements of these pieces, one bit each, to `out`; returns their number. */
  list(state: BlokusState, hand: number, out: Int32Array): number {
    const { nodes, starts, cells, offsets } = this.#placements;
    let count = 0;
    for (let corner = 0; corner < this.count; corner++) {
      const here = hand & this.pieces[corner]!;
      if (here === 0) continue;
      const around = this.nearby[corner]!;
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
          if (placement >= 0) out[count++] = placement;
        }
      }
    }
    return count;
  }

  /** Fills in the window around a corner; returns its upper word. */
  #look(state: BlokusState, corner: number): number {
    const { players } = this.#board;
    const x = this.xs[corner]!;
    const at = (this.ys[corner]! + BORDER) * players + state.toMove;
    const gone = ~state.left[state.toMove]!;
    this.#lower[corner] = windowLower(state.forbidden, at, players, x) | lowerGone(gone);
    return (this.#upper[corner] = windowUpper(state.forbidden, at, players, x) | upperGone(gone));
  }

  #placementAtFirst(state: BlokusState, corner: number, from: number): number {
    const x = this.xs[corner]!;
    const y = this.ys[corner]!;
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
