import type { Board, BoardPlace, GridBoard } from "./board.ts";

/**
 * A board with what the last move did: the cells where it lies or the side to which it slid, and the pieces that it turned to another
 * seat. `place` is the place of the move, and `before` the board on which it was made. A board that holds its last move keeps it.
 */
export function withLastMove(board: Board, place: BoardPlace | undefined, before: Board | undefined): Board {
  if (board.kind !== "grid" || place === undefined) return board;
  const turned = before?.kind === "grid" ? turnedCells(before, board) : [];
  return {
    ...(place.cells === undefined ? {} : { last: place.cells }),
    ...(place.side === undefined ? {} : { lastSide: place.side }),
    ...(turned.length === 0 ? {} : { turned }),
    ...board,
  };
}

/** The cells that have a piece on both boards, of another seat on the second one. */
function turnedCells(before: GridBoard, after: GridBoard): number[] {
  const seats = seatsByCell(before);
  return after.pieces.flatMap(({ cells, seat }) =>
    cells.filter((cell) => seats.has(cell) && seats.get(cell) !== seat),
  );
}

/** The seats that have pieces, by the cells of these. */
export function seatsByCell({ pieces }: GridBoard): Map<number, GridBoard["pieces"][number]["seat"]> {
  return new Map(pieces.flatMap(({ cells, seat }) => cells.map((cell) => [cell, seat] as const)));
}
