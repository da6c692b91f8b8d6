import { besideRows, cornerRows, SHAPE_ROWS, shapeRows, sizeOfPiece } from "./board.ts";
import { blokusOrientations } from "./pieces.ts";
import {
  NODE_WORDS,
  nodeLower,
  nodeUpper,
  PIECE,
  PIECE_BIT,
  POINT_NODES,
  pointNodes,
  windowBit,
} from "./point-tree.ts";

/** The kinds of pieces that are counted apart: of five squares, of four, and smaller. */
export const KINDS = 3;
/** Words of a set of nodes. */
export const SET_WORDS = 14;
/** By kind: where its words begin in a set; and the end. */
export const KIND_WORDS = [0, 10, 13, SET_WORDS] as const;

/** The kind of a piece with this number of squares. */
export function kindOfSize(size: number): number {
  return Math.min(5 - size, KINDS - 1);
}

/** A cell of a placement or near to it: how far it lies from the top left of the bounding box. */
export type CellStep = readonly [x: number, y: number];

/**
 * Sets of the placements that cover a point (the nodes of `point-tree.ts`), one bit a node: what each orientation leaves
 * possible around it. Each kind of pieces has words of its own, so it can be counted by itself.
 */
export class NodeSets {
  /** By orientation: the cells that its seat may no longer cover, which are its squares and the cells beside them. */
  readonly closed: readonly (readonly CellStep[])[];
  /** By orientation: the other cells that touch a corner of its squares. */
  readonly corners: readonly (readonly CellStep[])[];
  /**
   * By orientation and corner cell, `SET_WORDS` words each: the nodes of that cell which stay possible when the orientation
   * has been laid, and which are not nodes of an earlier corner cell. A node is left out if it lays the same piece, or
   * covers a closed cell or an earlier corner cell.
   */
  readonly opened: Int32Array;
  /** By orientation: where its sets begin in `opened`. */
  readonly firstOpened: Int32Array;
  /**
   * The bits of a window in groups, and for each subset of a group the nodes that cover a cell of it: groups of 6, 6, 6 and
   * 7 bits of the upper word, of 5, 5 and 6 of the lower one, lowest bits first.
   */
  readonly #blocked = new Int32Array(SET_WORDS * 448);
  /** By node: its word in a set, and its bit there. */
  readonly #word = new Uint8Array(POINT_NODES);
  readonly #bit = new Int32Array(POINT_NODES);

  /** The tables of `growPointTree` must have been filled. */
  constructor() {
    const next = KIND_WORDS.map((word) => 32 * word);
    for (let node = 0; node < POINT_NODES; node++) {
      const place = next[kindOfSize(sizeOfPiece[pointNodes[node * NODE_WORDS + PIECE]!]!)]!++;
      this.#word[node] = place >> 5;
      this.#bit[node] = 1 << (place & 31);
    }
    this.closed = blokusOrientations.map((_, orientation) => cellsIn([shapeRows, besideRows], orientation));
    this.corners = blokusOrientations.map((_, orientation) => cellsIn([cornerRows], orientation));
    this.firstOpened = new Int32Array(blokusOrientations.length);
    const sets: number[] = [];
    for (const [orientation, { piece }] of blokusOrientations.entries()) {
      this.firstOpened[orientation] = sets.length;
      for (const [number, point] of this.corners[orientation]!.entries()) {
        const blocked = [...this.closed[orientation]!, ...this.corners[orientation]!.slice(0, number)];
        sets.push(...this.#openedAt(point, piece, blocked));
      }
    }
    this.opened = Int32Array.from(sets);
    let subset = 0;
    for (const [cells, sizes] of [
      [nodeUpper, [6, 6, 6, 7]],
      [nodeLower, [5, 5, 6]],
    ] as const)
      for (let i = 0, shift = 0; i < sizes.length; shift += sizes[i++]!)
        for (let bits = 0; bits < 1 << sizes[i]!; bits++, subset++)
          for (let node = 0; node < POINT_NODES; node++)
            if ((cells[node]! & (bits << shift)) !== 0) this.#add(node, this.#blocked, SET_WORDS * subset);
  }

  /** The nodes that lay one of these pieces (one bit a piece). */
  laying(pieces: number): Int32Array {
    const set = new Int32Array(SET_WORDS);
    for (let node = 0; node < POINT_NODES; node++)
      if ((pieces & pointNodes[node * NODE_WORDS + PIECE_BIT]!) !== 0) this.#add(node, set, 0);
    return set;
  }

  /** Writes those of some nodes that cover none of the blocked cells of a window. */
  writeFree(upper: number, lower: number, nodes: Int32Array, out: Int32Array, at: number): void {
    const blocked = this.#blocked;
    const a = SET_WORDS * (upper & 63);
    const b = SET_WORDS * (64 + ((upper >> 6) & 63));
    const c = SET_WORDS * (128 + ((upper >> 12) & 63));
    const d = SET_WORDS * (192 + ((upper >> 18) & 127));
    const e = SET_WORDS * (320 + (lower & 31));
    const f = SET_WORDS * (352 + ((lower >> 5) & 31));
    const g = SET_WORDS * (384 + ((lower >> 10) & 63));
    for (let word = 0; word < SET_WORDS; word++)
      out[at + word] =
        nodes[word]! &
        ~(
          blocked[a + word]! |
          blocked[b + word]! |
          blocked[c + word]! |
          blocked[d + word]! |
          blocked[e + word]! |
          blocked[f + word]! |
          blocked[g + word]!
        );
  }

  #openedAt(point: CellStep, piece: number, blocked: readonly CellStep[]): Int32Array {
    let upper = 0;
    let lower = 0;
    for (const [x, y] of blocked) {
      const bit = windowBit(x - point[0], y - point[1]);
      if (y <= point[1]) upper |= bit;
      else lower |= bit;
    }
    const set = new Int32Array(SET_WORDS);
    for (let node = 0; node < POINT_NODES; node++)
      if (
        ((nodeUpper[node]! & upper) | (nodeLower[node]! & lower)) === 0 &&
        pointNodes[node * NODE_WORDS + PIECE] !== piece
      )
        this.#add(node, set, 0);
    return set;
  }

  #add(node: number, set: Int32Array, at: number): void {
    const word = at + this.#word[node]!;
    set[word] = set[word]! | this.#bit[node]!;
  }
}

/** The cells of an orientation in tables of `SHAPE_ROWS` rows. */
function cellsIn(tables: readonly Int32Array[], orientation: number): CellStep[] {
  const cells: CellStep[] = [];
  for (let row = 0; row < SHAPE_ROWS; row++)
    for (let column = 0; column < SHAPE_ROWS; column++)
      if (tables.some((rows) => (rows[orientation * SHAPE_ROWS + row]! >> column) & 1))
        cells.push([column - 1, row - 1]);
  return cells;
}
