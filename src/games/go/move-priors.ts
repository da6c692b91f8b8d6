import type { MovePriors } from "../game.ts";
import { EDGE, EMPTY, type GoBoard, neighbour } from "./board.ts";
import { isEye } from "./eyes.ts";
import { MoveEffect } from "./move-effect.ts";
import type { GoRules } from "./options.ts";
import { localShapes, ringCode } from "./playouts/shapes.ts";
import { type GoState, lastMove } from "./state.ts";

/** The value of a move of which nothing is known. */
const EVEN = 0.5;
const PASS = 0.1;
const OWN_EYE = 0;

/** What is added to the value of a move */
const ADDED = {
  /** that captures, */
  capture: 0.2,
  /** for each stone that it captures, */
  capturedStone: 0.03,
  /** that captures nothing and leaves its chain one liberty, */
  selfAtari: -0.35,
  /** that takes an own chain out of atari, */
  rescue: 0.25,
  /** that puts a chain of the opponent into atari, */
  atari: 0.05,
  /** that has a shape. */
  shape: 0.1,
};

/** What is added by distance from the last move: dx + dy + the greater of the two (Coulom 2007). */
const BY_DISTANCE = [0, 0, 0.2, 0.16, 0.1, 0.05];

/** What is added on the first, second and third line of the board, where no stone is near. */
const BY_LINE = [-0.3, -0.1, 0.05];

/**
 * Prior values of moves: `heuristic`, the sum of what is known of a move by its tactics, its shape, its distance from the
 * last move and its line.
 *
 * Source: S. Gelly and D. Silver, *Combining online and offline knowledge in UCT* (2007), section 6, whose best prior is
 * that of a handcrafted heuristic. The numbers are ours.
 */
export function goMovePriors({ board }: GoRules): MovePriors<GoState> {
  const { stride, cellOf, pass } = board;
  const effect = new MoveEffect(board, 2);
  const lines = linesOf(board);

  const byTactics = (state: GoState, cell: number): number => {
    const { colour, head, liberties, toMove } = state;
    effect.of(state, cell);
    let value = 0;
    if (effect.captured > 0) value += ADDED.capture + ADDED.capturedStone * effect.captured;
    else if (effect.liberties < 2) return ADDED.selfAtari;
    if (effect.liberties < 2) return value;
    let rescues = false;
    let attacks = false;
    for (let side = 0; side < 4; side++) {
      const beside = neighbour(cell, side, stride);
      const there = colour[beside]!;
      if (there === EMPTY || there === EDGE) continue;
      const few = liberties[head[beside]!]!;
      if (there === toMove + 1) rescues ||= few === 1;
      else attacks ||= few === 2;
    }
    if (rescues) value += ADDED.rescue;
    if (attacks) value += ADDED.atari;
    return (localShapes()[ringCode(colour, stride, cell)]! & (toMove + 1)) === 0
      ? value
      : value + ADDED.shape;
  };

  const byPlace = ({ colour }: GoState, cell: number, last: number): number => {
    let value = 0;
    if (last > 0) {
      const down = Math.abs(Math.floor(cell / stride) - Math.floor(last / stride));
      const across = Math.abs((cell % stride) - (last % stride));
      value += BY_DISTANCE[down + across + Math.max(down, across)] ?? 0;
    }
    const line = BY_LINE[lines[cell]!];
    return line === undefined || !isAlone(colour, stride, cell) ? value : value + line;
  };

  return {
    heuristic(state, actions, count, out) {
      const last = lastMove(state, 1);
      for (let i = 0; i < count; i++) {
        const cell = cellOf[actions[i]!]!;
        if (actions[i] === pass) out[i] = PASS;
        else if (isEye(state.colour, stride, cell, state.toMove + 1)) out[i] = OWN_EYE;
        else out[i] = within(EVEN + byTactics(state, cell) + byPlace(state, cell, last));
      }
    },
  };
}

function within(value: number): number {
  return Math.max(0, Math.min(1, value));
}

/** Whether none of the eight points around a cell has a stone. */
function isAlone(colours: Uint8Array, stride: number, cell: number): boolean {
  for (let row = cell - stride; row <= cell + stride; row += stride)
    for (let at = row - 1; at <= row + 1; at++)
      if (colours[at] !== EMPTY && colours[at] !== EDGE) return false;
  return true;
}

/** By cell: its distance from the edge, 0 on the first line. */
function linesOf({ size, cells, pointOf }: GoBoard): Uint8Array {
  return Uint8Array.from({ length: cells }, (_, cell) => {
    const point = pointOf[cell]!;
    const row = Math.floor(point / size);
    const column = point % size;
    return point < 0 ? 0 : Math.min(row, column, size - 1 - row, size - 1 - column);
  });
}
