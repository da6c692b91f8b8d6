import type { Preference } from "../game.ts";
import type { OthelloBoard } from "./board.ts";

/** What a square is worth by its place on the board. */
const CORNER = 20;
const EDGE = 3;
const PLAIN = 1;
/** Beside a corner on the edge, and beside it on the diagonal: a disc there lets the opponent take the corner. */
const BESIDE_CORNER = -4;
const DIAGONAL_TO_CORNER = -8;

/** By action: the value of a square, the greater the better for the seat that has it; 0 for the pass. */
export function squareValues({ size, squares }: OthelloBoard): Float64Array {
  const values = new Float64Array(squares + 1);
  for (let action = 0; action < squares; action++) {
    const line = (at: number) => Math.min(at, size - 1 - at);
    const [near, far] = [line(Math.floor(action / size)), line(action % size)].toSorted((a, b) => a - b) as [
      number,
      number,
    ];
    if (far === 0) values[action] = CORNER;
    // On 4x4 every edge square is beside a corner, and every other one diagonal to one.
    else if (far === 1 && size > 4) values[action] = near === 0 ? BESIDE_CORNER : DIAGONAL_TO_CORNER;
    else values[action] = near === 0 ? EDGE : PLAIN;
  }
  return values;
}

/** Corners first, then edges; squares that give a corner away last. */
export function squarePreference(board: OthelloBoard): Preference {
  const values = squareValues(board);
  return (action) => values[action]!;
}
