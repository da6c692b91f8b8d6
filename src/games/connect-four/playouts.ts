import { drawBit } from "../bits.ts";
import { OVER } from "../game.ts";
import type { Playouts, PlaysToEnd } from "../game.ts";
import type { Random } from "../../random.ts";
import { completions, type ConnectFourBoard, hasFour, WORD_COLUMNS } from "./board.ts";
import { type ConnectFourState, landingCells } from "./state.ts";

/**
 * Playouts of Connect Four. A preferred move completes four; if none does, it takes a cell with which the other seat would
 * complete four; if there is none, it is any move (decisive and anti-decisive moves: F. Teytaud and O. Teytaud, *On the
 * huge benefit of decisive moves in Monte-Carlo tree search algorithms*, 2010).
 */
export function connectFourPlayouts(board: ConnectFourBoard): Playouts<ConnectFourState> {
  const cells = new Int32Array(2);
  const completing = new Int32Array(2);

  const uniform = (state: ConnectFourState, random: Random): number => {
    landingCells(state, board, cells);
    return columnOf(drawBit(cells[0]!, cells[1]!, random));
  };

  /** The landing cells that complete four for a seat are written to `completing`; false if there are none. */
  const completes = (low: number, high: number): boolean => {
    completions(low, high, completing);
    completing[0]! &= cells[0]!;
    completing[1]! &= cells[1]!;
    return (completing[0]! | completing[1]!) !== 0;
  };

  const preferredCell = (low: number, high: number, otherLow: number, otherHigh: number, random: Random) =>
    completes(low, high) || completes(otherLow, otherHigh)
      ? drawBit(completing[0]!, completing[1]!, random)
      : drawBit(cells[0]!, cells[1]!, random);

  const preferred = (state: ConnectFourState, random: Random): number => {
    const { low0, high0, low1, high1, toMove } = state;
    landingCells(state, board, cells);
    return columnOf(
      toMove === 0
        ? preferredCell(low0, high0, low1, high1, random)
        : preferredCell(low1, high1, low0, high0, random),
    );
  };

  const finishBy =
    (prefers: boolean): PlaysToEnd<ConnectFourState> =>
    (state, random, recorder) => {
      while (state.toMove !== OVER) {
        const { low0, high0, low1, high1, toMove } = state;
        landingCells(state, board, cells);
        let cell: number;
        if (!prefers) cell = drawBit(cells[0]!, cells[1]!, random);
        else if (toMove === 0) cell = preferredCell(low0, high0, low1, high1, random);
        else cell = preferredCell(low1, high1, low0, high0, random);
        recorder?.add(toMove, columnOf(cell));
        const stone = 1 << (cell & 31);
        let four: boolean;
        if (toMove === 0) {
          if (cell < 32) state.low0 |= stone;
          else state.high0 |= stone;
          four = hasFour(state.low0, state.high0);
        } else {
          if (cell < 32) state.low1 |= stone;
          else state.high1 |= stone;
          four = hasFour(state.low1, state.high1);
        }
        if (four) state.winner = toMove;
        const full =
          (state.low0 | state.low1) === board.allLow && (state.high0 | state.high1) === board.allHigh;
        state.toMove = four || full ? OVER : 1 - toMove;
      }
    };

  return { uniform, preferred, finish: finishBy(false), finishPreferred: finishBy(true) };
}

function columnOf(bit: number): number {
  return bit < 32 ? bit >> 3 : WORD_COLUMNS + ((bit - 32) >> 3);
}
