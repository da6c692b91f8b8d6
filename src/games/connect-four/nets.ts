import type { NetAbilities, Planes } from "../game.ts";
import { COLUMN_BITS, type ConnectFourBoard, WORD_COLUMNS } from "./board.ts";
import { type ConnectFourState, landingCells, settleConnectFour, stoneAt, stoneCount } from "./state.ts";

const LANDING = 2;
const SECOND = 3;
const CHANNELS = 4;

const landing = new Int32Array(2);

/**
 * What nets need to know of Connect Four: planes, a logit for each column, the stones as ownership, states in few bytes. The
 * logit of a column lies on its top cell.
 */
export function connectFourNets(board: ConnectFourBoard): NetAbilities<ConnectFourState> {
  const { columns, rows } = board;
  return {
    planes: { compact: compactPlanes(board) },
    actionPlanes: { planes: 1, index: (column) => column },
    ownership(state, out) {
      for (let cell = 0; cell < rows * columns; cell++) out[cell] = stoneAt(state, bitOf(board, cell));
    },
    packing: {
      bytes: 2 * columns,
      pack({ low0, high0, low1, high1 }, out, offset) {
        for (let column = 0; column < columns; column++) {
          const shift = COLUMN_BITS * (column & (WORD_COLUMNS - 1));
          out[offset + 2 * column] = (column < WORD_COLUMNS ? low0 : high0) >>> shift;
          out[offset + 2 * column + 1] = (column < WORD_COLUMNS ? low1 : high1) >>> shift;
        }
      },
      unpack(from, offset, into) {
        into.low0 = into.high0 = into.low1 = into.high1 = 0;
        for (let column = 0; column < columns; column++) {
          const shift = COLUMN_BITS * (column & (WORD_COLUMNS - 1));
          const [first, second] = [
            from[offset + 2 * column]! << shift,
            from[offset + 2 * column + 1]! << shift,
          ];
          if (column < WORD_COLUMNS) {
            into.low0 |= first;
            into.low1 |= second;
          } else {
            into.high0 |= first;
            into.high1 |= second;
          }
        }
        settleConnectFour(into, board);
      },
    },
  };
}

/**
 * Four channels, from the side of the seat to move; when the game is over, of the seat whose turn it would be.
 *
 * | channel | what |
 * |---|---|
 * | 0, 1 | stones of the mover, stones of the other seat |
 * | 2 | the cells onto which a stone can fall |
 * | 3 | ones if seat 1 is the mover: which seat fills a column in the end depends on which began |
 */
function compactPlanes(board: ConnectFourBoard): Planes<ConnectFourState> {
  const { columns, rows } = board;
  return {
    shape: [rows, columns, CHANNELS],
    encoding: [
      { as: "bits", channels: SECOND },
      { as: "uniform", channels: CHANNELS - SECOND },
    ],
    write(state, out, offset) {
      const mover = stoneCount(state) & 1;
      landingCells(state, board, landing);
      for (let cell = 0; cell < rows * columns; cell++) {
        const bit = bitOf(board, cell);
        const at = offset + CHANNELS * cell;
        const stone = stoneAt(state, bit);
        out[at] = stone === mover ? 1 : 0;
        out[at + 1] = stone === 1 - mover ? 1 : 0;
        out[at + LANDING] = (landing[bit >> 5]! >>> (bit & 31)) & 1;
        out[at + SECOND] = mover;
      }
    },
  };
}

/** The bit of a cell that is numbered row by row from the top left. */
export function bitOf({ columns, rows }: Pick<ConnectFourBoard, "columns" | "rows">, cell: number): number {
  return COLUMN_BITS * (cell % columns) + rows - 1 - Math.floor(cell / columns);
}
