import type { MovePriors } from "../game.ts";
import { COLUMN_BITS, completions, type ConnectFourBoard, linesOfFour, WORD_COLUMNS } from "./board.ts";
import { type ConnectFourState, landingCells } from "./state.ts";

const WIN = 1;
/** A move that the other seat would win with. */
const BLOCK = 0.9;
/** A move after which the other seat can win on top of it. */
const GIFT = 0.05;
/** A move of which nothing else is known, and what the cell with the most lines of four through it adds. */
const PLAIN = 0.35;
const CENTRAL = 0.25;

/**
 * Prior values of moves: `threats`, which knows the wins of both seats within two plies, and prefers cells through which many
 * lines of four go.
 */
export function connectFourMovePriors(board: ConnectFourBoard): MovePriors<ConnectFourState> {
  const landing = new Int32Array(2);
  const own = new Int32Array(2);
  const theirs = new Int32Array(2);
  const through = linesThrough(board);
  return {
    threats(state, actions, count, out) {
      const first = state.toMove === 0;
      landingCells(state, board, landing);
      completions(first ? state.low0 : state.low1, first ? state.high0 : state.high1, own);
      completions(first ? state.low1 : state.low0, first ? state.high1 : state.high0, theirs);
      for (let i = 0; i < count; i++) {
        const column = actions[i]!;
        const word = column < WORD_COLUMNS ? 0 : 1;
        const cell = landing[word]! & (0xff << (COLUMN_BITS * (column & (WORD_COLUMNS - 1))));
        if ((own[word]! & cell) !== 0) out[i] = WIN;
        else if ((theirs[word]! & cell) !== 0) out[i] = BLOCK;
        // The cell above the top row is a bit of the column that belongs to no cell.
        else if ((theirs[word]! & (cell << 1) & (word === 0 ? board.allLow : board.allHigh)) !== 0)
          out[i] = GIFT;
        else out[i] = PLAIN + CENTRAL * through[32 * word + 31 - Math.clz32(cell)]!;
      }
    },
  };
}

/** By bit of a cell: the lines of four through it, in parts of the most of any cell. */
function linesThrough(board: ConnectFourBoard): Float64Array {
  const through = new Float64Array(64);
  for (const { low, high } of linesOfFour(board))
    for (let bit = 0; bit < 64; bit++) through[bit]! += ((bit < 32 ? low : high) >>> (bit & 31)) & 1;
  const most = Math.max(...through);
  return through.map((lines) => lines / most);
}
