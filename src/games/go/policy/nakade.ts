/**
 * Shapes of captured chains, and a point in them: where a move back into the captured space makes it fit for one eye only
 * (nakade). Shapes that one of the eight symmetries takes into each other, with their points, have one number.
 */

/** The largest shape; a move inside of a larger one does not decide about eyes. */
export const LARGEST_NAKADE = 6;

/** All shapes of 1 to `LARGEST_NAKADE` points with a point in them. */
export interface NakadeShapes {
  /** How many there are; they are numbered 0 .. count - 1, smaller shapes first. */
  readonly count: number;
  /** By key of a shape and a point in it, as `nakadeKey` makes them: its number. */
  readonly numbers: ReadonlyMap<number, number>;
  /** By number: the rows of the shape, `*` for the move and `o` for the other points. */
  readonly texts: readonly string[];
}

let known: NakadeShapes | undefined;

/** The shapes; the first call makes them. */
export function nakadeShapes(): NakadeShapes {
  return (known ??= makeShapes());
}

/**
 * The key of a shape and a point in it. A point is 32 * row + column, in any place; `points` has `count` different ones that
 * hang together, at most `LARGEST_NAKADE`.
 */
export function nakadeKey(points: ArrayLike<number>, count: number, point: number): number {
  let top = 31;
  let left = 31;
  let right = 0;
  for (let i = 0; i < count; i++) {
    top = Math.min(top, points[i]! >> 5);
    left = Math.min(left, points[i]! & 31);
    right = Math.max(right, points[i]! & 31);
  }
  // Six points that hang together lie in a box of at most twelve cells.
  const width = right - left + 1;
  let cells = 0;
  for (let i = 0; i < count; i++)
    cells |= 1 << (((points[i]! >> 5) - top) * width + (points[i]! & 31) - left);
  return (((width << 12) | cells) << 4) | (((point >> 5) - top) * width + (point & 31) - left);
}

type Point = readonly [row: number, column: number];

function makeShapes(): NakadeShapes {
  const numbers = new Map<number, number>();
  const texts: string[] = [];
  let shapes: Point[][] = [[[0, 0]]];
  for (let size = 1; size <= LARGEST_NAKADE; size++) {
    for (const shape of shapes)
      for (const point of shape) {
        if (numbers.has(keyOf(shape, point))) continue;
        for (let symmetry = 0; symmetry < 8; symmetry++) {
          const image = (each: Point) => imageOf(each, symmetry);
          numbers.set(keyOf(shape.map(image), image(point)), texts.length);
        }
        texts.push(textOf(shape, point));
      }
    shapes = grown(shapes);
  }
  return { count: texts.length, numbers, texts };
}

/** The shapes with one more point, each once. */
function grown(shapes: readonly Point[][]): Point[][] {
  const found = new Map<number, Point[]>();
  for (const shape of shapes)
    for (const [row, column] of shape)
      for (const next of [
        [row - 1, column],
        [row, column + 1],
        [row + 1, column],
        [row, column - 1],
      ] as Point[]) {
        if (shape.some((point) => point[0] === next[0] && point[1] === next[1])) continue;
        const larger = [...shape, next];
        const [first] = sorted(larger);
        const key = keyOf(larger, first!);
        if (!found.has(key)) found.set(key, larger);
      }
  return [...found.values()];
}

function sorted(shape: readonly Point[]): Point[] {
  return shape.toSorted((one, other) => one[0] - other[0] || one[1] - other[1]);
}

function imageOf([row, column]: Point, symmetry: number): Point {
  const [a, b] = symmetry & 4 ? [column, row] : [row, column];
  return [symmetry & 1 ? -a : a, symmetry & 2 ? -b : b];
}

function keyOf(shape: readonly Point[], point: Point): number {
  const top = Math.min(...shape.map(([row]) => row));
  const left = Math.min(...shape.map(([, column]) => column));
  const code = ([row, column]: Point) => 32 * (row - top) + column - left;
  return nakadeKey(shape.map(code), shape.length, code(point));
}

function textOf(shape: readonly Point[], point: Point): string {
  const top = Math.min(...shape.map(([row]) => row));
  const left = Math.min(...shape.map(([, column]) => column));
  const rows: string[][] = [];
  for (const [row, column] of sorted(shape)) {
    const cells = (rows[row - top] ??= []);
    while (cells.length < column - left) cells.push(".");
    cells.push(row === point[0] && column === point[1] ? "*" : "o");
  }
  return rows.map((cells) => cells.join(" ")).join(" / ");
}
