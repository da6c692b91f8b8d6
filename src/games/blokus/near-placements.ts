import { sizeOfPiece } from "./board.ts";
import {
  NODE_WORDS,
  nodeLower,
  nodeUpper,
  PIECE,
  PIECE_BIT,
  PLACEMENT,
  POINT_NODES,
  pointNodes,
} from "./point-tree.ts";

/** Number of pieces of the game. */
export const PIECES = sizeOfPiece.length;

/** Number of sets of the twelve cells at most two steps from a point. */
export const NEARBY = 4096;

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
export function nearbyIn(rows: Int32Array, at: number, stride: number, x: number): number {
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

/** The placements that cover a point, as far as the cells nearby leave them free. */
export interface NearPlacements {
  /** By set of blocked cells nearby, then by piece, larger ones first: the nodes that cover none of these cells. */
  readonly nodes: Int16Array;
  /** By set of blocked cells nearby and piece: where its nodes begin; the next place is their end. */
  readonly starts: Int32Array;
  /** By set of blocked cells nearby: the pieces that have a node, one bit each. */
  readonly pieces: Int32Array;
  /**
   * By node, two words: its cells in the upper and in the lower word of the window, and beside them its piece as one of
   * the bits that `upperGone` and `lowerGone` lay there.
   */
  readonly cells: Int32Array;
  /** By node: what to add to y << 8 | x of the point for the placement. */
  readonly offsets: Int32Array;
}

/** A set of pieces in the places that a window's words leave free: the last five above the 25 bits of the upper one, */
export function upperGone(pieces: number): number {
  return ((pieces >> 16) & 31) << 25;
}

/** and the first sixteen above the 16 bits of the lower one. */
export function lowerGone(pieces: number): number {
  return pieces << 16;
}

let known: NearPlacements | undefined;

/** The tables, made at the first call. `growPointTree` must have been called. */
export function nearPlacements(): NearPlacements {
  return (known ??= makeTables());
}

function makeTables(): NearPlacements {
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
