import type { FeaturesAhead } from "../game.ts";
import { type BlokusBoard, pieceOfOrientation, sizeOfPiece } from "./board.ts";
import { largestOf, MEASURES, movesFeature, pointsFeature } from "./measures.ts";
import { MovesAhead } from "./moves-ahead.ts";
import { countPacked, PACKED, packedPlacements, packRows, racePacked, spreadByEdges } from "./packed-rows.ts";
import type { BlokusState } from "./state.ts";

/** One seat: before the move that is looked at, and after it. Sets of cells are packed. */
class Side {
  seat = 0;
  /** Before: the cells that it may cover, its attach points, and the cells within a piece's length of them. */
  readonly free = new Int32Array(PACKED);
  readonly points = new Int32Array(PACKED);
  readonly reach = new Int32Array(PACKED);
  /** The features that count `points` and `reach`. */
  pointsFeature = 0;
  reachFeature = 0;
  /** After: the same. */
  readonly freeAfter = new Int32Array(PACKED);
  readonly pointsAfter = new Int32Array(PACKED);
}

/**
 * The features of the positions after each legal move of one position, equal to those that `blokusFeatures` writes to the
 * last bit, at a sixth of the time. Moves are counted by `MovesAhead`.
 */
export class BlokusFeaturesAhead implements FeaturesAhead<BlokusState> {
  readonly #board: BlokusBoard;
  readonly #cells: number;
  readonly #moves: MovesAhead;
  readonly #placements: Int32Array;
  readonly #mover = new Side();
  readonly #opponent = new Side();
  readonly #reached = new Int32Array(PACKED);
  /** What `racePacked` counts. */
  readonly #race = new Int32Array(4);
  #state: BlokusState | undefined;

  constructor(board: BlokusBoard) {
    this.#board = board;
    this.#cells = board.size * board.size;
    this.#moves = new MovesAhead(board);
    this.#placements = packedPlacements(board);
  }

  from(state: BlokusState, actions: Int32Array, count: number): void {
    this.#state = state;
    this.#moves.from(state, actions, count);
    this.#begin(state, state.toMove, this.#mover);
    this.#begin(state, 1 - state.toMove, this.#opponent);
    const { points, free, reach } = this.#opponent;
    spreadByEdges(points, free, largestOf(state.left[1 - state.toMove]!) - 1, reach);
    this.#opponent.pointsFeature = pointsFeature(countPacked(points));
    this.#opponent.reachFeature = countPacked(reach) / this.#cells;
  }

  write(action: number, seat: number, out: Float64Array): boolean {
    const state = this.#state!;
    const { mover, opponent } = this.#moves;
    this.#moves.count(action);
    const next = nextMover(state, mover, opponent);
    if (next === undefined) return false;
    const own = 2;
    const their = 2 + MEASURES.length;
    out[0] = 1;
    out[1] = next === seat ? 1 : 0;
    const isMover = seat === state.toMove;
    this.#writeMover(action, out, isMover ? own : their);
    this.#writeOpponent(action, out, isMover ? their : own);
    this.#writeRace(out, isMover ? own : their, isMover ? their : own);
    return true;
  }

  #begin({ forbidden, corners, left }: BlokusState, seat: number, side: Side): void {
    const { free, points } = side;
    packRows(forbidden, seat, this.#board, true, free);
    packRows(corners, seat, this.#board, false, points);
    for (let i = 0; i < PACKED; i++) points[i] = left[seat] === 0 ? 0 : points[i]! & free[i]!;
  }

  #writeMover(action: number, out: Float64Array, at: number): void {
    const { toMove, left, placed } = this.#state!;
    const { free, points, freeAfter, pointsAfter } = this.#mover;
    const placements = this.#placements;
    const piece = pieceOfOrientation[this.#board.placements[action]! >> 16]!;
    const hand = left[toMove]! & ~(1 << piece);
    const largest = largestOf(hand);
    const closed = (3 * action + 1) * PACKED;
    const corners = (3 * action + 2) * PACKED;
    for (let i = 0; i < PACKED; i++) {
      freeAfter[i] = free[i]! & ~placements[closed + i]!;
      pointsAfter[i] = hand === 0 ? 0 : (points[i]! | placements[corners + i]!) & freeAfter[i]!;
    }
    out[at] = (placed[toMove]! + sizeOfPiece[piece]!) / this.#board.squares;
    out[at + 1] = largest / 5;
    out[at + 2] = pointsFeature(countPacked(pointsAfter));
    spreadByEdges(pointsAfter, freeAfter, largest - 1, this.#reached);
    out[at + 3] = countPacked(this.#reached) / this.#cells;
    writeMoves(this.#moves.mover, out, at + 6);
  }

  #writeOpponent(action: number, out: Float64Array, at: number): void {
    const { toMove, left, placed } = this.#state!;
    const side = this.#opponent;
    const { free, points, reach, freeAfter, pointsAfter } = side;
    const placements = this.#placements;
    const largest = largestOf(left[1 - toMove]!);
    const squares = 3 * action * PACKED;
    let pointsLost = 0;
    let reachLost = 0;
    for (let i = 0; i < PACKED; i++) {
      const taken = placements[squares + i]!;
      freeAfter[i] = free[i]! & ~taken;
      pointsAfter[i] = points[i]! & ~taken;
      pointsLost |= points[i]! & taken;
      reachLost |= reach[i]! & taken;
    }
    out[at] = placed[1 - toMove]! / this.#board.squares;
    out[at + 1] = largest / 5;
    out[at + 2] = pointsLost === 0 ? side.pointsFeature : pointsFeature(countPacked(pointsAfter));
    // If the new piece covers none of the cells reached, it is in nobody's way.
    if (reachLost === 0) out[at + 3] = side.reachFeature;
    else {
      spreadByEdges(pointsAfter, freeAfter, largest - 1, this.#reached);
      out[at + 3] = countPacked(this.#reached) / this.#cells;
    }
    writeMoves(this.#moves.opponent, out, at + 6);
  }

  #writeRace(out: Float64Array, mover: number, opponent: number): void {
    const race = this.#race;
    const { pointsAfter, freeAfter } = this.#mover;
    racePacked(pointsAfter, this.#opponent.pointsAfter, freeAfter, this.#opponent.freeAfter, race);
    out[mover + 4] = race[0]! / this.#cells;
    out[mover + 5] = race[2]! / this.#cells;
    out[opponent + 4] = race[1]! / this.#cells;
    out[opponent + 5] = race[3]! / this.#cells;
  }
}

function writeMoves(counts: Int32Array, out: Float64Array, at: number): void {
  out[at] = movesFeature[counts[0]!]!;
  out[at + 1] = movesFeature[counts[1]!]!;
  out[at + 2] = movesFeature[counts[2]!]!;
}

/** The seat to move after a move, by the number of moves that each then has; undefined if the game is over. */
function nextMover(
  { toMove, out }: BlokusState,
  mover: Int32Array,
  opponent: Int32Array,
): number | undefined {
  const other = 1 - toMove;
  if (((out >> other) & 1) === 0 && opponent[0]! + opponent[1]! + opponent[2]! > 0) return other;
  return ((out >> toMove) & 1) === 0 && mover[0]! + mover[1]! + mover[2]! > 0 ? toMove : undefined;
}
