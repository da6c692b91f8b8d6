import type { Random } from "../../../random.ts";
import { OVER, type PlayoutRecorder, type Playouts } from "../../game.ts";
import { BLACK, EMPTY, type GoBoard, PASS_CELL, WHITE } from "../board.ts";
import { isEye } from "../eyes.ts";
import { isLegalCell } from "../legal.ts";
import type { GoRules } from "../options.ts";
import { LocalMoves } from "./local-moves.ts";
import { PlayoutBoard } from "./playout-board.ts";
import { type GoState, lastMove } from "../state.ts";
import { isSuicide } from "../superko.ts";

/** A playout is cut off after this many plies for each point of the board; its last position counts. */
export const CAP = 3;

/**
 * Playouts by moves that fill no own eye and are no suicide, and a pass if there is none. Uniform playouts draw each of
 * these moves with the same probability; preferred moves answer the last move (`LocalMoves`). `finish` and
 * `finishPreferred` play by simple ko until two passes in a row, the move limit, or 3 plies a point.
 *
 * How a move is drawn: from a list of the empty points with `random.below`, in the list's part that has not been drawn.
 * A point that does not do is swapped with the last of that part. `finish` keeps one list: at first in order of points;
 * the last takes the place of a point that is played, and captured points are appended in order.
 */
export function goPlayouts(rules: GoRules): Playouts<GoState> {
  const { board, moveLimit } = rules;
  const { points, cellOf, pointOf, pass } = board;
  const playout = new PlayoutBoard(board);
  // Made when it is first needed: its table of shapes takes some tens of milliseconds.
  let local: LocalMoves | undefined;
  const list = new Int16Array(points);

  const uniform = (state: GoState, random: Random): number => {
    let left = 0;
    for (let point = 0; point < points; point++)
      if (state.colour[cellOf[point]!] === EMPTY) list[left++] = point;
    while (left > 0) {
      const at = random.below(left);
      const point = list[at]!;
      const cell = cellOf[point]!;
      if (sensible(state, board, cell) && isLegalCell(state, rules, cell)) return point;
      list[at] = list[--left]!;
    }
    return pass;
  };

  const preferred = (state: GoState, random: Random): number => {
    playout.load(state);
    local ??= new LocalMoves(board, playout);
    local.start(board, Math.max(0, lastMove(state, 1)));
    const cell = local.draw(state.toMove + 1, random);
    // Superko, which the board of a playout does not know, forbids few of these moves.
    return cell === PASS_CELL || isLegalCell(state, rules, cell) ? pointOfMove(cell) : uniform(state, random);
  };

  const pointOfMove = (cell: number): number => (cell === PASS_CELL ? pass : pointOf[cell]!);

  const finish = (state: GoState, random: Random, recorder?: PlayoutRecorder): void => {
    if (state.toMove < 0) return;
    playout.load(state);
    let colour = state.toMove + 1;
    let { passes } = state;
    for (let left = pliesLeft(state); left > 0 && passes < 2; left--) {
      const cell = playout.draw(colour, random);
      if (cell === PASS_CELL) {
        passes++;
        playout.ko = 0;
      } else {
        passes = 0;
        playout.play(cell, colour);
      }
      recorder?.add(colour - 1, pointOfMove(cell));
      colour = BLACK + WHITE - colour;
    }
    playout.store(state);
    state.toMove = OVER;
  };

  const pliesLeft = (state: GoState): number =>
    moveLimit === 0 ? CAP * points : Math.min(CAP * points, moveLimit - state.plies);

  const finishPreferred = (state: GoState, random: Random, recorder?: PlayoutRecorder): void => {
    if (state.toMove < 0) return;
    playout.load(state);
    local ??= new LocalMoves(board, playout);
    local.start(board, Math.max(0, lastMove(state, 1)));
    let colour = state.toMove + 1;
    let { passes } = state;
    for (let left = pliesLeft(state); left > 0 && passes < 2; left--) {
      const cell = local.draw(colour, random);
      if (cell === PASS_CELL) {
        passes++;
        playout.ko = 0;
        local.pass();
      } else {
        passes = 0;
        playout.play(cell, colour);
        local.follow(cell, colour);
      }
      recorder?.add(colour - 1, pointOfMove(cell));
      colour = BLACK + WHITE - colour;
    }
    playout.store(state);
    state.toMove = OVER;
  };

  return { uniform, preferred, finish, finishPreferred };
}

/** Whether a stone of the mover on an empty cell would be no suicide and fill no eye of its own. */
function sensible(state: GoState, board: GoBoard, cell: number): boolean {
  const { colour, toMove } = state;
  return !isEye(colour, board.stride, cell, toMove + 1) && !isSuicide(state, board, cell);
}
