import { NetDoesNotFit } from "../definition.ts";

/** The cells that the tuples of a network read, and how many tile values they distinguish. */
export interface TupleLayout {
  /** The board: 2 to 4 rows and columns. */
  readonly rows: number;
  readonly columns: number;
  /** The cells of each tuple, numbered row by row from the top left; all tuples have the same length. */
  readonly tuples: readonly (readonly number[])[];
  /** Bits of an exponent in a table's index: exponents of 2^bits and above are looked up as 2^bits - 1. */
  readonly bits: number;
}

interface TupleSet {
  readonly description: string;
  /** The tuples on a board of this size; undefined if the set is not made for it. */
  tuples(rows: number, columns: number): readonly (readonly number[])[] | undefined;
}

const onBoard =
  (height: number, width: number, tuples: readonly (readonly number[])[]): TupleSet["tuples"] =>
  (rows, columns) =>
    rows === height && columns === width ? tuples : undefined;

/**
 * The tuple sets by name: number of tuples x length, as usual in the literature.
 *
 * - `4x6`: the four 6-tuples of Yeh et al. (2016) for the 4x4 board, two of them straight and two rectangles.
 * - `8x6`: the eight 6-tuples that Matsuzaki (2016) selected for the 4x4 board.
 * - `2x6`: two 6-tuples for the 3x3 board, a rectangle and a hook.
 * - `board`: one tuple over all cells of a board of at most six cells: a table of all positions, which can hold exact
 *   values.
 */
const sets = {
  "4x6": {
    description: "four 6-tuples (Yeh et al. 2016), for 4x4",
    tuples: onBoard(4, 4, [
      [0, 1, 2, 3, 4, 5],
      [4, 5, 6, 7, 8, 9],
      [0, 1, 2, 4, 5, 6],
      [4, 5, 6, 8, 9, 10],
    ]),
  },
  "8x6": {
    description: "eight 6-tuples (Matsuzaki 2016), for 4x4",
    tuples: onBoard(4, 4, [
      [0, 1, 2, 4, 5, 6],
      [4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3, 4, 5],
      [2, 3, 4, 5, 6, 9],
      [0, 1, 2, 5, 9, 10],
      [3, 4, 5, 6, 7, 8],
      [1, 3, 4, 5, 6, 7],
      [0, 1, 4, 8, 9, 10],
    ]),
  },
  "2x6": {
    description: "two 6-tuples, for 3x3",
    tuples: onBoard(3, 3, [
      [0, 1, 2, 3, 4, 5],
      [0, 1, 2, 3, 4, 6],
    ]),
  },
  board: {
    description: "one tuple of all cells, for boards of at most six",
    tuples: (rows, columns) =>
      rows * columns <= 6 ? [Array.from({ length: rows * columns }, (_, cell) => cell)] : undefined,
  },
} as const satisfies Record<string, TupleSet>;

/** The name of a tuple set. */
export type TupleSetName = keyof typeof sets;

/** The tuple sets' names, in the order of the catalogue. */
export const tupleSetNames = Object.keys(sets) as readonly TupleSetName[];

/** One phrase on each tuple set, for the description of an option. */
export const tupleSetsDescription: string = tupleSetNames
  .map((name) => `${name}: ${sets[name].description}`)
  .join("; ");

/** A tuple set on a board. Throws NetDoesNotFit if the set is not made for a board of this size. */
export function tupleLayout(name: TupleSetName, rows: number, columns: number): TupleLayout {
  const tuples = sets[name].tuples(rows, columns);
  if (tuples === undefined) {
    const fitting = tupleSetNames.filter((each) => sets[each].tuples(rows, columns) !== undefined);
    const instead = fitting.length === 0 ? "none is" : `${fitting.join(" and ")} would fit`;
    throw new NetDoesNotFit(
      "n-tuple",
      "2048",
      `the tuples ${name} are not made for a ${rows}x${columns} board; ${instead}`,
    );
  }
  return { rows, columns, tuples, bits: exponentBits(rows * columns) };
}

/**
 * Enough bits for the greatest tile that the board can hold, 2^(cells + 1), but at most four: with six cells in a tuple, a
 * fifth bit would make the tables 64 times as large. Tiles above 2^15 = 32,768 are therefore looked up as 32,768.
 */
function exponentBits(cells: number): number {
  return Math.min(4, Math.ceil(Math.log2(cells + 2)));
}
