import { pieceOfOrientation } from "./board.ts";
import { orientationOfShape, shapeKey } from "./pieces.ts";

/**
 * Every placement that covers a given point, as a tree to be walked with blocked cells left out.
 *
 * All polyominoes of 1 to 5 squares are pieces, so the placements that cover a point are the 414 connected sets of up
 * to 5 cells around it. Each is the set of its parent and one cell more (Redelmeier 1981); if that cell is blocked,
 * so is everything below. The cells around the point, at most 4 steps away, are a window of 41 bits in two words.
 *
 * The walk of the tree is written out in each of its users, because a visitor function costs too much in these loops:
 * - `legal.ts`: `hasMove` stops at the first legal node; `BlokusMoveSet` collects all legal placements
 * - `largest.ts`: `LargestMoves` looks for ever larger pieces
 * - `features.ts`: `#countMoves` counts legal moves by size
 * - `node-sets.ts`: `writeFreeNodes` makes a set of the legal nodes
 * - `near-placements.ts` does not walk the tree: it takes all nodes once to make tables of its own
 * A change of the node's layout or of the rule when to skip changes all of them.
 */

/** Number of nodes: 1 + 4 + 18 + 76 + 315. */
export const POINT_NODES = 414;

/**
 * The nodes in preorder, `NODE_WORDS` words each; words beside each other share a cache line, and one array costs the
 * loops over them fewer registers than eight.
 */
export const pointNodes = new Int32Array(POINT_NODES * 8);
/** Words of a node, and where each lies: */
export const NODE_WORDS = 8;
/** the bit of its added cell in the window's upper word (rows -4 to 0), or 0; */
export const UPPER = 0;
/** the bit of its added cell in the window's lower word (rows 1 to 4), or 0; */
export const LOWER = 1;
/** its piece and those of all nodes below it, one bit a piece; */
export const PIECES_BELOW = 2;
/** its piece, one bit a piece; */
export const PIECE_BIT = 3;
/** where in `pointNodes` the next node begins that is not below it; */
export const SKIP = 4;
/** its piece's place in `blokusPieces`; */
export const PIECE = 5;
/**
 * what to add to y << 8 | x of the point for the placement (orientation << 16 | y << 8 | x of the bounding box's top
 * left square).
 */
export const PLACEMENT = 6;

/** By node in preorder: all cells of its placement in the window's upper word, and in the lower one. */
export const nodeUpper = new Int32Array(POINT_NODES);
/** See `nodeUpper`. */
export const nodeLower = new Int32Array(POINT_NODES);

/** Where the rows -4 to 0 begin in the upper word, and 1 to 4 in the lower one. */
const ROW_SHIFT = [0, 1, 4, 9, 16, 0, 7, 12, 15];

/** The upper word of the window around [x,y]; `rows` are bit rows of stride `stride`, of which `at` is the row of y. */
export function windowUpper(rows: Int32Array, at: number, stride: number, x: number): number {
  return (
    ((rows[at - 4 * stride]! >>> (x + 4)) & 1) |
    (((rows[at - 3 * stride]! >>> (x + 3)) & 7) << 1) |
    (((rows[at - 2 * stride]! >>> (x + 2)) & 31) << 4) |
    (((rows[at - stride]! >>> (x + 1)) & 127) << 9) |
    (((rows[at]! >>> x) & 511) << 16)
  );
}

/** The lower word of the same window. */
export function windowLower(rows: Int32Array, at: number, stride: number, x: number): number {
  return (
    ((rows[at + stride]! >>> (x + 1)) & 127) |
    (((rows[at + 2 * stride]! >>> (x + 2)) & 31) << 7) |
    (((rows[at + 3 * stride]! >>> (x + 3)) & 7) << 12) |
    (((rows[at + 4 * stride]! >>> (x + 4)) & 1) << 15)
  );
}

/** The bit of a cell in its word of the window around a point, from its steps to the right and down; 0 outside the window. */
export function windowBit(right: number, down: number): number {
  const steps = Math.abs(right) + Math.abs(down);
  return steps > 4 ? 0 : 1 << (ROW_SHIFT[down + 4]! + right + 4 - Math.abs(down));
}

type Cell = readonly [x: number, y: number];

const NEIGHBOURS: readonly Cell[] = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
];

let nodes = 0;

/** Adds the node of `cells`, whose last one is new, and all below it; `untried` cells may follow, `known` are all cells visited. */
function addNode(cells: readonly Cell[], untried: readonly Cell[], known: readonly Cell[]): number {
  const node = NODE_WORDS * nodes++;
  const [x, y] = cells.at(-1)!;
  const bitOf = ([column, row]: Cell) => windowBit(column, row);
  const bit = bitOf([x, y]);
  const orientation = orientationOfShape.get(shapeKey(cells))!;
  const left = Math.min(...cells.map(([column]) => column));
  const top = Math.min(...cells.map(([, row]) => row));
  const piece = pieceOfOrientation[orientation]!;
  let below = 1 << piece;
  for (const cell of cells) {
    const words = cell[1] <= 0 ? nodeUpper : nodeLower;
    words[node / NODE_WORDS]! |= bitOf(cell);
  }
  pointNodes[node + UPPER] = y <= 0 ? bit : 0;
  pointNodes[node + LOWER] = y <= 0 ? 0 : bit;
  pointNodes[node + PIECE_BIT] = below;
  pointNodes[node + PIECE] = piece;
  pointNodes[node + PLACEMENT] = orientation * 65536 + top * 256 + left;
  if (cells.length < 5) {
    const isKnown = ([column, row]: Cell) => known.some(([kx, ky]) => kx === column && ky === row);
    const found = NEIGHBOURS.map(([dx, dy]) => [x + dx, y + dy] as const).filter((cell) => !isKnown(cell));
    const next = [...untried, ...found];
    for (const [i, cell] of next.entries())
      below |= addNode([...cells, cell], next.slice(i + 1), [...known, ...found]);
  }
  pointNodes[node + PIECES_BELOW] = below;
  pointNodes[node + SKIP] = NODE_WORDS * nodes;
  return below;
}

/**
 * Fills the tables of this file, unless they have been filled. The constructor of a board calls it: threads that play
 * other games are not kept waiting.
 */
export function growPointTree(): void {
  if (nodes === 0) addNode([[0, 0]], [], [[0, 0]]);
}
