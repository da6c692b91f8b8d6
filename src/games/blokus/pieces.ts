/** A piece of Blokus: a polyomino of 1 to 5 squares. */
export interface BlokusPiece {
  /** The usual letter of the polyomino, with its number of squares if the letter alone is ambiguous. */
  readonly name: string;
  /** Number of squares. */
  readonly size: number;
}

/** One way to lay a piece: rotated, mirrored, or both. */
export interface BlokusOrientation {
  /** The piece's place in `blokusPieces`. */
  readonly piece: number;
  readonly size: number;
  readonly width: number;
  readonly height: number;
  /** The squares from the top left of the bounding box, row by row. */
  readonly cells: readonly (readonly [x: number, y: number])[];
}

/** Every free polyomino of 1 to 5 squares, the larger ones first; rows from the top, `#` is a square. */
const SHAPES: readonly (readonly [name: string, ...rows: string[]])[] = [
  ["F", ".##", "##.", ".#."],
  ["I5", "#####"],
  ["L5", "####", "#..."],
  ["N", "###.", "..##"],
  ["P", "##", "##", "#."],
  ["T5", "###", ".#.", ".#."],
  ["U", "#.#", "###"],
  ["V5", "#..", "#..", "###"],
  ["W", "#..", "##.", ".##"],
  ["X", ".#.", "###", ".#."],
  ["Y", "####", ".#.."],
  ["Z5", "##.", ".#.", ".##"],
  ["I4", "####"],
  ["L4", "###", "#.."],
  ["O", "##", "##"],
  ["T4", "###", ".#."],
  ["Z4", "##.", ".##"],
  ["I3", "###"],
  ["V3", "##", "#."],
  ["2", "##"],
  ["1", "#"],
];

type Cell = readonly [x: number, y: number];

function cellsOf(rows: readonly string[]): Cell[] {
  return rows.flatMap((row, y) =>
    row.split("").flatMap((mark, x) => (mark === "#" ? [[x, y] as const] : [])),
  );
}

/** The 21 pieces that every seat has, in the order of the numbering: the larger ones first. */
export const blokusPieces: readonly BlokusPiece[] = SHAPES.map(([name, ...rows]) => ({
  name,
  size: cellsOf(rows).length,
}));

/** Squares of all pieces of a seat: 89. */
export const BLOKUS_SQUARES = blokusPieces.reduce((sum, { size }) => sum + size, 0);

/** The place of the piece of one square, which is the last. */
export const MONOMINO = blokusPieces.length - 1;

/** Moves squares to the top left, row by row. */
function normalised(cells: readonly Cell[]): Cell[] {
  const left = Math.min(...cells.map(([x]) => x));
  const top = Math.min(...cells.map(([, y]) => y));
  return cells
    .map(([x, y]) => [x - left, y - top] as const)
    .toSorted(([ax, ay], [bx, by]) => ay - by || ax - bx);
}

/** Names a shape whatever its place: 5 bits a row, 25 in all. The shape must lie in 5x5 squares. */
export function shapeKey(cells: readonly Cell[]): number {
  let [left, top] = cells[0]!;
  for (const [x, y] of cells) {
    left = Math.min(left, x);
    top = Math.min(top, y);
  }
  let key = 0;
  for (const [x, y] of cells) key |= 1 << (5 * (y - top) + x - left);
  return key;
}

/**
 * The image of a vector: bit 2 swaps its components, then bit 0 negates the first one and bit 1 the second
 * one. Numbers 0 to 7 are the symmetries of the square; 0 is the identity.
 */
export function imageOfVector([x, y]: Cell, symmetry: number): Cell {
  const [across, down] = symmetry & 4 ? [y, x] : [x, y];
  return [symmetry & 1 ? -across : across, symmetry & 2 ? -down : down];
}

/**
 * The 91 orientations, piece by piece; within a piece in the order in which the symmetries 0 to 7 of its drawing give
 * a new one.
 */
export const blokusOrientations: readonly BlokusOrientation[] = SHAPES.flatMap(([, ...rows], piece) => {
  const seen = new Map<number, BlokusOrientation>();
  for (let symmetry = 0; symmetry < 8; symmetry++) {
    const cells = normalised(cellsOf(rows).map((cell) => imageOfVector(cell, symmetry)));
    const key = shapeKey(cells);
    if (seen.has(key)) continue;
    const width = 1 + Math.max(...cells.map(([x]) => x));
    const height = 1 + Math.max(...cells.map(([, y]) => y));
    seen.set(key, { piece, size: cells.length, width, height, cells });
  }
  return [...seen.values()];
});

/** The orientation of a shape, by `shapeKey`. */
export const orientationOfShape: ReadonlyMap<number, number> = new Map(
  blokusOrientations.map(({ cells }, orientation) => [shapeKey(cells), orientation]),
);
