import { OVER } from "../../../games/game.ts";
import type { Random } from "../../../random.ts";
import type { GameGo } from "../../../games/go/go.ts";
import { EMPTY } from "../../../games/go/board.ts";
import { chainStones } from "../../../games/go/chains.ts";
import { goTurnTo } from "./turn.ts";
import { goAreas } from "../../../games/go/score.ts";
import type { GoState } from "../../../games/go/state.ts";

/** Number of playouts: the share of a point has a standard error of at most 2.5%. */
const PLAYOUTS = 400;

/**
 * By point, row by row from the top left: the share of uniform playouts from here in which the point is Black's area in
 * the end, less the share in which it is White's; -1 to 1.
 */
export function goOwnership(game: GameGo, state: GoState, random: Random): Float64Array {
  const { board } = game.rules;
  const { points } = board;
  const areas = new Int8Array(points);
  const sums = new Float64Array(points);
  const working = game.initial();
  for (let playout = 0; playout < PLAYOUTS; playout++) {
    game.copy(state, working);
    // A finished game continues from its stones; the side to move first does not matter to settled stones.
    if (working.toMove === OVER) goTurnTo(game, working, 0);
    game.playouts.finish!(working, random);
    goAreas(working, board, areas);
    for (let point = 0; point < points; point++) {
      const owner = areas[point]!;
      if (owner >= 0) sums[point]! += 1 - 2 * owner;
    }
  }
  return sums.map((sum) => sum / PLAYOUTS);
}

/**
 * By point: 1 for a stone that is dead, else 0. A chain is dead if its points are the opponent's in more than half of
 * the playouts, in the mean over its stones.
 */
export function deadStones(game: GameGo, state: GoState, random: Random): Uint8Array {
  const { points, cellOf, pointOf } = game.rules.board;
  const ownership = goOwnership(game, state, random);
  const dead = new Uint8Array(points);
  const stones = new Int16Array(points);
  for (let point = 0; point < points; point++) {
    const cell = cellOf[point]!;
    const colour = state.colour[cell]!;
    if (colour === EMPTY || state.head[cell] !== cell) continue;
    const count = chainStones(state, cell, stones);
    const chain = Array.from(stones.subarray(0, count), (stone) => pointOf[stone]!);
    const black = chain.reduce((sum, each) => sum + ownership[each]!, 0);
    if ((colour === 1 ? black : -black) < 0) for (const each of chain) dead[each] = 1;
  }
  return dead;
}
