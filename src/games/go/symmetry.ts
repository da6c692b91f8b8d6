import type { Symmetry } from "../game.ts";
import { imageOfSquare } from "../square-symmetry.ts";
import { EMPTY, type GoBoard, PASS_CELL } from "./board.ts";
import type { GoRules } from "./options.ts";
import { copyGoState, type GoState, moverOfPly, newGoState } from "./state.ts";

/** The 8 symmetries of the square; seats keep their colours. */
export function goSymmetry({ board }: GoRules): Symmetry<GoState> {
  const { points, pass, cellOf } = board;
  const images = Array.from({ length: 8 }, (_, symmetry) =>
    Int16Array.from({ length: points + 1 }, (_each, action) =>
      action === pass ? pass : imageOfSquare(action, symmetry, board.size),
    ),
  );
  const cellImages = images.map((image) => {
    const cells = new Int16Array(board.cells);
    for (let point = 0; point < points; point++) cells[cellOf[point]!] = cellOf[image[point]!]!;
    return cells;
  });
  const original = newGoState(board);
  return {
    count: 8,
    transform(state, symmetry, into) {
      copyGoState(state, original);
      copyGoState(state, into);
      mapCells(original, cellImages[symmetry]!, board, into);
      mapHistory(original, cellImages[symmetry]!, board, into);
    },
    action: (action, symmetry) => (action === pass ? pass : images[symmetry]![action]!),
    seat: (seat) => seat,
  };
}

/** Writes what belongs to cells to their images. Cells outside the board have no images, and keep what they have. */
function mapCells(from: GoState, image: Int16Array, { points, cellOf }: GoBoard, into: GoState): void {
  for (let point = 0; point < points; point++) {
    const cell = cellOf[point]!;
    const to = image[cell]!;
    into.colour[to] = from.colour[cell]!;
    into.head[to] = image[from.head[cell]!]!;
    into.next[to] = image[from.next[cell]!]!;
    into.stones[to] = from.stones[cell]!;
    into.liberties[to] = from.liberties[cell]!;
    into.placed[to] = from.placed[cell]!;
    into.lost[to] = from.lost[cell]!;
  }
  into.ko = image[from.ko]!;
}

/**
 * Writes the images of moves and captures. Hashes change by the words of the stones on the board and of their images: at
 * the last position by those of all stones, and with each ply that is taken back by those that it placed and captured.
 */
function mapHistory(from: GoState, image: Int16Array, { cells, zobrist }: GoBoard, into: GoState): void {
  const { moves, captured, capturedEnd, keys } = from.history;
  let low = 0;
  let high = 0;
  const exchange = (cell: number, colour: number) => {
    const here = 4 * cell + 2 * colour - 2;
    const there = 4 * image[cell]! + 2 * colour - 2;
    low ^= zobrist[here]! ^ zobrist[there]!;
    high ^= zobrist[here + 1]! ^ zobrist[there + 1]!;
  };
  for (let cell = 0; cell < cells; cell++)
    if (image[cell] !== 0 && from.colour[cell] !== EMPTY) exchange(cell, from.colour[cell]!);
  into.hashLow = from.hashLow ^ low;
  into.hashHigh = from.hashHigh ^ high;
  const { history } = into;
  history.keys[2 * from.plies] = keys[2 * from.plies]! ^ low;
  history.keys[2 * from.plies + 1] = keys[2 * from.plies + 1]! ^ high;
  for (let ply = from.plies - 1; ply >= 0; ply--) {
    const cell = moves[ply]!;
    const start = ply === 0 ? 0 : capturedEnd[ply - 1]!;
    const end = capturedEnd[ply]!;
    history.moves[ply] = image[cell]!;
    for (let i = start; i < end; i++) history.captured[i] = image[captured[i]!]!;
    if (cell !== PASS_CELL) {
      const mover = moverOfPly(from, ply) + 1;
      const suicide = start < end && captured[start] === cell;
      // The stone of a suicide was on neither board.
      if (!suicide) exchange(cell, mover);
      for (let i = suicide ? start + 1 : start; i < end; i++)
        exchange(captured[i]!, suicide ? mover : 3 - mover);
    }
    history.keys[2 * ply] = keys[2 * ply]! ^ low;
    history.keys[2 * ply + 1] = keys[2 * ply + 1]! ^ high;
  }
}
