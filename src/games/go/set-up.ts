import { BLACK, EMPTY, type GoBoard } from "./board.ts";
import { placeStone } from "./chains.ts";
import { handicapPoints } from "./handicap.ts";
import type { GoRules } from "./options.ts";
import { type GoState, newGoState } from "./state.ts";
import { recordKey } from "./superko.ts";

/**
 * A position of these stones as the beginning of a game: no earlier position counts for superko, nothing is captured yet,
 * and the number of plies is 0. undefined if a chain has no liberty.
 *
 * @param colours By point, row by row from the top left: EMPTY, BLACK or WHITE.
 * @param first The seat to move.
 */
export function setUpGo(rules: GoRules, colours: ArrayLike<number>, first: number): GoState | undefined {
  const state = newGoState(rules.board, first);
  if (placeStones(state, rules, colours) !== undefined) return undefined;
  recordKey(state, rules, first);
  return state;
}

/** The stones of a position as `setUpGo` takes them: by point EMPTY, BLACK or WHITE. */
export function stonesOf({ colour }: Pick<GoState, "colour">, { points, cellOf }: GoBoard): Uint8Array {
  return Uint8Array.from({ length: points }, (_, point) => colour[cellOf[point]!]!);
}

/** The point of a stone whose chain has no liberty, or undefined if all chains have one. */
export function stoneWithoutLiberty(rules: GoRules, colours: ArrayLike<number>): number | undefined {
  return placeStones(newGoState(rules.board), rules, colours);
}

/** Places stones by their colours up to the first capture; returns the point of a captured stone. */
function placeStones(state: GoState, { board }: GoRules, colours: ArrayLike<number>): number | undefined {
  let stones = 0;
  for (let point = 0; point < board.points; point++) {
    const colour = colours[point]!;
    if (colour === EMPTY) continue;
    // A chain that has a liberty in the end has one before, too: that one, or the place of a stone of its own.
    if (placeStone(state, board, board.cellOf[point]!, colour, -++stones, 0) > 0)
      return board.pointOf[state.history.captured[0]!]!;
  }
  return undefined;
}

/** The start of a game: the empty board and Black to move, or the fixed handicap stones and White to move. */
export function initialGo(rules: GoRules): GoState {
  const { board, handicap } = rules;
  const first = handicap > 0 ? 1 : 0;
  const state = newGoState(board, first);
  const points = handicap > 0 ? handicapPoints(board.size, handicap) : [];
  for (const [i, point] of points.entries()) placeStone(state, board, board.cellOf[point]!, BLACK, -1 - i, 0);
  recordKey(state, rules, first);
  return state;
}
