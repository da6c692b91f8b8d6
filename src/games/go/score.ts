import { BLACK, EDGE, EMPTY, type GoBoard, MOST_CELLS, WHITE, neighbour } from "./board.ts";
import type { GoState } from "./state.ts";

const BLACK_REACHES = 1 << BLACK;
const WHITE_REACHES = 1 << WHITE;

/** Cells still to be visited, and cells of the region that is being walked through. */
const region = new Int16Array(MOST_CELLS);
const visited = new Uint8Array(MOST_CELLS);

const areas = new Int8Array(MOST_CELLS);
const score = new Float64Array(2);

/**
 * Writes, by point, the seat whose area it is, or -1: the seat of the stone on it, or, for an empty point, the only seat
 * whose stones its region of empty points touches (Tromp-Taylor rules, 7 to 9). Every point is written. No stone counts
 * as dead.
 */
export function goAreas(state: GoState, board: GoBoard, out: Int8Array): void {
  const { points, cellOf } = board;
  visited.fill(0);
  for (let point = 0; point < points; point++) {
    const cell = cellOf[point]!;
    const colour = state.colour[cell]!;
    if (colour !== EMPTY) out[point] = colour - 1;
    else if (visited[cell] === 0) fill(state, board, cell, out);
  }
}

/** Writes the owner of the region of empty points that a cell belongs to. */
function fill({ colour }: GoState, { stride, pointOf }: GoBoard, start: number, out: Int8Array): void {
  let reaches = 0;
  let length = 1;
  region[0] = start;
  visited[start] = 1;
  for (let i = 0; i < length; i++)
    for (let side = 0; side < 4; side++) {
      const cell = neighbour(region[i]!, side, stride);
      const there = colour[cell]!;
      if (there === EDGE) continue;
      if (there !== EMPTY) reaches |= 1 << there;
      else if (visited[cell] === 0) {
        visited[cell] = 1;
        region[length++] = cell;
      }
    }
  const owner = reaches === BLACK_REACHES ? 0 : reaches === WHITE_REACHES ? 1 : -1;
  for (let i = 0; i < length; i++) out[pointOf[region[i]!]!] = owner;
}

/** Writes the area of each seat in points, without komi, of the present position. */
export function goScore(state: GoState, board: GoBoard, out: Float64Array): void {
  goAreas(state, board, areas);
  out[0] = 0;
  out[1] = 0;
  for (let point = 0; point < board.points; point++) {
    const owner = areas[point]!;
    if (owner >= 0) out[owner]!++;
  }
}

/** Black's area less White's, without komi, of the present position. */
export function goAreaDifference(state: GoState, board: GoBoard): number {
  goScore(state, board, score);
  return score[0]! - score[1]!;
}

/** Figures of a position for reports: the area of each seat in points, and the stones that each has taken. */
export function goFacts(state: GoState, board: GoBoard): Readonly<Record<string, number>> {
  goScore(state, board, score);
  return {
    blackArea: score[0]!,
    whiteArea: score[1]!,
    blackCaptures: state.prisoners[1]!,
    whiteCaptures: state.prisoners[0]!,
    plies: state.plies,
  };
}
