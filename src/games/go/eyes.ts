import { EDGE } from "./board.ts";

/**
 * Whether an empty cell is an eye of a colour by shape: stones of that colour or the edge on its four sides, and corners
 * as `isEyeByCorners` wants them.
 */
export function isEye(colours: Uint8Array, stride: number, cell: number, colour: number): boolean {
  // EDGE has the bits of both colours.
  const around = colours[cell - stride]! & colours[cell - 1]! & colours[cell + 1]! & colours[cell + stride]!;
  return (around & colour) !== 0 && isEyeByCorners(colours, stride, cell, colour);
}

/**
 * Whether a point whose neighbours are all of one colour, or outside the board, is an eye of that colour: the opponent
 * has at most one stone at its corners, and none if it is at the edge of the board.
 */
export function isEyeByCorners(colours: Uint8Array, stride: number, cell: number, colour: number): boolean {
  const enemy = 3 - colour;
  const a = colours[cell - stride - 1]!;
  const b = colours[cell - stride + 1]!;
  const c = colours[cell + stride - 1]!;
  const d = colours[cell + stride + 1]!;
  const enemies =
    (a === enemy ? 1 : 0) + (b === enemy ? 1 : 0) + (c === enemy ? 1 : 0) + (d === enemy ? 1 : 0);
  return enemies === 0 || (enemies === 1 && a !== EDGE && b !== EDGE && c !== EDGE && d !== EDGE);
}
