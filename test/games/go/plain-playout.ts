import type { Random } from "../../../src/random.ts";
import { EMPTY, PlainGo } from "./reference.ts";

/**
 * Plays a plain game to its end as a uniform playout does, by simple ko and with the same draws; at most `cap` plies.
 * Returns the moves.
 */
export function plainPlayout(game: PlainGo, random: Random, cap: number): number[] {
  const moves: number[] = [];
  const empty = game.points().filter((point) => game.board[point] === EMPTY);
  while (!game.over && moves.length < cap) {
    const at = plainDraw(game, random, empty);
    const before = [...game.board];
    const move = at < 0 ? game.pass : empty[at]!;
    game.play(move);
    moves.push(move);
    if (at >= 0) {
      const last = empty.pop()!;
      if (at < empty.length) empty[at] = last;
    }
    empty.push(...game.points().filter((point) => before[point] !== EMPTY && game.board[point] === EMPTY));
  }
  return moves;
}

/** The place in the list of a move that fills no own eye, or -1. Points that were drawn and did not do move back. */
function plainDraw(game: PlainGo, random: Random, empty: number[]): number {
  for (let left = empty.length; left > 0; left--) {
    const at = random.below(left);
    const point = empty[at]!;
    if (game.forbidden(point) === undefined && !game.isEye(point, game.mover)) return at;
    empty[at] = empty[left - 1]!;
    empty[left - 1] = point;
  }
  return -1;
}
