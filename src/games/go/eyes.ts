import { EDGE, type GoBoard } from "./board.ts";

/**
 * Whether an empty cell is an eye of a colour by shape: stones of that colour or the edge on all four sides, and at the
 * corners at most one stone of the other colour, none where a corner lies outside the board.
 */
export function isEye(colours: Uint8Array, { stride }: GoBoard, cell: number, colour: number): boolean {
  return (
    encloses(colours[cell - stride]!, colour) &&
    encloses(colours[cell - 1]!, colour) &&
    encloses(colours[cell + 1]!, colour) &&
    encloses(colours[cell + stride]!, colour) &&
    cornersLost(colours, stride, cell, colour) < 2
  );
}

function encloses(there: number, colour: number): boolean {
  return there === colour || there === EDGE;
}

/** The corners that the other colour has; the edge counts as one. */
function cornersLost(colours: Uint8Array, stride: number, cell: number, colour: number): number {
  let lost = 0;
  let edge = 0;
  for (let i = 0; i < 4; i++) {
    const there = colours[cell + (i < 2 ? -stride : stride) + (i % 2 === 0 ? -1 : 1)]!;
    if (there === 3 - colour) lost++;
    else if (there === EDGE) edge = 1;
  }
  return lost + edge;
}
