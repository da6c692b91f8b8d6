import {
  actionAt,
  BORDER,
  type BlokusBoard,
  cornerRows,
  heightOfOrientation,
  pieceOfOrientation,
  SHAPE_ROWS,
} from "./blokus-board.ts";
import { fits } from "./blokus-legal.ts";
import { blokusOrientations } from "./blokus-pieces.ts";
import {
  nodeLower,
  nodePiece,
  nodePlacement,
  nodeSize,
  nodeSkip,
  nodeUpper,
  POINT_NODES,
  windowLower,
  windowUpper,
} from "./blokus-point-tree.ts";
import type { BlokusState } from "./blokus-state.ts";
import type { Playouts } from "./game.ts";
import type { Random } from "../random.ts";

/** Sizes of pieces. */
const SIZES = 5;

/**
 * What playouts draw from: by seat and size, every legal placement once, and others that were legal some time ago.
 *
 * What is illegal stays so, and new moves come only with corners of a seat's own new piece; so a seat's lists are
 * brought up to date on its turn by the placements that cover a new corner and no earlier one. A draw that hits a
 * placement no longer legal drops it and draws again: the legal ones stay equally likely.
 */
export interface BlokusCandidates {
  /** Whether the lists follow the state; false after the state has been overwritten. */
  current: boolean;
  /** By row and seat: corners whose placements are in the lists, in bit rows as in the state. */
  readonly done: Int32Array;
  /** By seat: the number of plies of the state of which the lists know. */
  readonly known: Int32Array;
  /** By seat and size - 1: the number of placements in the list. */
  readonly counts: Int32Array;
  /** The lists one after the other; a placement is orientation << 16 | y << 8 | x. */
  readonly placements: Int32Array;
}

/** Draws moves for playouts of a board. */
export function blokusPlayouts(board: BlokusBoard): Playouts<BlokusState> {
  const { players, size, rows, actions } = board;
  // No list can overflow: a placement is added to it once at most, as it has but one earliest corner.
  const begin = new Int32Array(SIZES);
  for (const orientation of blokusOrientations)
    for (let longer = orientation.size; longer < SIZES; longer++)
      begin[longer]! += (size - orientation.width + 1) * (size - orientation.height + 1);
  const follow = (state: BlokusState, seat: number): BlokusCandidates => {
    const lists = (state.candidates ??= {
      current: false,
      done: new Int32Array(rows * players),
      known: new Int32Array(players),
      counts: new Int32Array(players * SIZES),
      placements: new Int32Array(players * actions),
    });
    if (!lists.current) {
      lists.current = true;
      lists.done.fill(0);
      lists.known.fill(-1);
      lists.counts.fill(0);
    }
    const from = lists.known[seat]!;
    lists.known[seat] = state.plies;
    if (from < 0) {
      const { corners } = state;
      for (let y = 0; y < size; y++) {
        const at = (y + BORDER) * players + seat;
        if (corners[at] !== 0) addRow(state, lists, seat, y, corners[at]!);
      }
      return lists;
    }
    for (let ply = from; ply < state.plies; ply++) {
      const move = state.moves[ply]!;
      if ((move & 3) !== seat) continue;
      const placement = board.placements[move >> 2]!;
      const orientation = placement >> 16;
      const shift = (placement & 255) + BORDER - 1;
      // Corners outside the board are forbidden anyway.
      let y = ((placement >> 8) & 255) - 1;
      for (let row = 0; row < heightOfOrientation[orientation]! + 2; row++, y++)
        addRow(state, lists, seat, y, cornerRows[orientation * SHAPE_ROWS + row]! << shift);
    }
    return lists;
  };

  const addRow = (
    state: BlokusState,
    lists: BlokusCandidates,
    seat: number,
    y: number,
    points: number,
  ): void => {
    const { forbidden } = state;
    const { done, counts, placements } = lists;
    const at = (y + BORDER) * players + seat;
    let open = points & ~forbidden[at]! & ~done[at]!;
    const left = state.left[seat]!;
    const lists0 = seat * actions;
    const counts0 = seat * SIZES - 1;
    while (open !== 0) {
      const x = 31 - Math.clz32(open) - BORDER;
      const bit = 1 << (x + BORDER);
      open ^= bit;
      const upper = windowUpper(forbidden, at, players, x) | windowUpper(done, at, players, x);
      const lower = windowLower(forbidden, at, players, x) | windowLower(done, at, players, x);
      done[at] = done[at]! | bit;
      const point = (y << 8) | x;
      let node = 0;
      while (node < POINT_NODES) {
        if (((upper & nodeUpper[node]!) | (lower & nodeLower[node]!)) !== 0) {
          node = nodeSkip[node]!;
          continue;
        }
        if ((left >> nodePiece[node]!) & 1) {
          const squares = nodeSize[node]!;
          const count = counts[counts0 + squares]!;
          placements[lists0 + begin[squares - 1]! + count] = point + nodePlacement[node]!;
          counts[counts0 + squares] = count + 1;
        }
        node++;
      }
    }
  };

  /** Whether a placement of a list is still legal. */
  const legal = (state: BlokusState, seat: number, placement: number): boolean =>
    ((state.left[seat]! >> pieceOfOrientation[placement >> 16]!) & 1) !== 0 &&
    fits(state.forbidden, players, seat, placement);

  const actionOf = (placement: number): number =>
    actionAt(board, placement >> 16, placement & 255, (placement >> 8) & 255);

  const none = (): never => {
    throw new RangeError("no move to draw: the game is over");
  };

  return {
    uniform(state: BlokusState, random: Random): number {
      const seat = state.toMove;
      if (seat < 0) none();
      const { counts, placements } = follow(state, seat);
      const at = seat * SIZES;
      let total = counts[at]! + counts[at + 1]! + counts[at + 2]! + counts[at + 3]! + counts[at + 4]!;
      for (; total > 0; total--) {
        let which = random.below(total);
        let list = SIZES - 1;
        while (which >= counts[at + list]!) which -= counts[at + list--]!;
        const start = seat * actions + begin[list]!;
        const placement = placements[start + which]!;
        if (legal(state, seat, placement)) return actionOf(placement);
        const last = counts[at + list]! - 1;
        counts[at + list] = last;
        placements[start + which] = placements[start + last]!;
      }
      return none();
    },

    preferred(state: BlokusState, random: Random): number {
      const seat = state.toMove;
      if (seat < 0) none();
      const { counts, placements } = follow(state, seat);
      for (let list = SIZES - 1; list >= 0; list--) {
        const start = seat * actions + begin[list]!;
        let count = counts[seat * SIZES + list]!;
        while (count > 0) {
          const which = random.below(count);
          const placement = placements[start + which]!;
          if (legal(state, seat, placement)) {
            counts[seat * SIZES + list] = count;
            return actionOf(placement);
          }
          placements[start + which] = placements[start + --count]!;
        }
        counts[seat * SIZES + list] = 0;
      }
      return none();
    },
  };
}
