import { hashStones } from "../bits.ts";
import { OVER } from "../game.ts";
import type {
  BestMoves,
  DepthFirstAbilities,
  Drawing,
  Game,
  LinearAbilities,
  NetAbilities,
  Notation,
  Playouts,
  SearchAbilities,
  Solve,
  Symmetry,
} from "../game.ts";
import { COLUMN_BITS, connectFourBoard, type ConnectFourBoard, hasFour, WORD_COLUMNS } from "./board.ts";
import { connectFourDrawing } from "./drawing.ts";
import { ConnectFourLines } from "./lines.ts";
import { connectFourMovePriors } from "./move-priors.ts";
import { connectFourNets } from "./nets.ts";
import { connectFourNotation } from "./notation.ts";
import type { OptionsConnectFour } from "./options.ts";
import { connectFourPlayouts } from "./playouts.ts";
import { ConnectFourSolver } from "./solver.ts";
import { type ConnectFourState, newConnectFourState } from "./state.ts";
import { connectFourSymmetry } from "./symmetry.ts";

/** Positions with few stones need a large table: 80 MB. */
const BEST_MOVES_TABLE_BITS = 23;

/**
 * The rules of Connect Four.
 *
 * An action is a column, counted from the left from 0: the stone falls to the lowest empty cell of the column. Four stones
 * of a seat in a column, a row or a diagonal win; a full board without four is a draw. A win returns 1, a draw .5, a loss
 * 0; until the game is over both returns are 0.
 */
export class GameConnectFour implements Game<ConnectFourState> {
  readonly name = "connect-four";
  readonly players = 2;
  readonly actions: number;
  readonly maxLegal: number;
  readonly returnBounds = [0, 1] as const;
  readonly notation: Notation<ConnectFourState>;
  readonly drawing: Drawing<ConnectFourState>;
  readonly symmetry: Symmetry<ConnectFourState>;
  readonly nets: NetAbilities<ConnectFourState>;
  readonly linear: LinearAbilities<ConnectFourState>;
  readonly depthFirst: DepthFirstAbilities<ConnectFourState>;
  readonly playouts: Playouts<ConnectFourState>;
  readonly search: SearchAbilities<ConnectFourState>;
  readonly board: ConnectFourBoard;
  #perfect: ConnectFourSolver | undefined;

  constructor(options: OptionsConnectFour) {
    const board = connectFourBoard(options);
    this.board = board;
    this.actions = board.columns;
    this.maxLegal = board.columns;
    const lines = new ConnectFourLines(board);
    this.notation = connectFourNotation(board);
    this.drawing = connectFourDrawing(board);
    this.symmetry = connectFourSymmetry(board);
    this.nets = connectFourNets(board);
    this.linear = { features: lines.features };
    this.depthFirst = {
      staticEvaluations: { lines: (state, out) => lines.evaluate(state, out) },
      finalBounds: { returns: (state, least, most) => lines.boundReturns(state, least, most) },
      isLegal: (state, action) => isOpen(state, board, action),
      // The stones determine the mover and the end of the game.
      hash: ({ low0, high0, low1, high1 }, out) => hashStones(low0, high0, low1, high1, 0, out),
    };
    this.playouts = connectFourPlayouts(board);
    this.search = { movePriors: connectFourMovePriors(board), bestMoves: this.#bestMoves };
  }

  /** Only the outcome counts, which is cheaper to find than the number of plies to it. */
  solver(): Solve<ConnectFourState> {
    const solver = new ConnectFourSolver(this);
    return (state, out) => {
      const outcome = solver.outcome(state);
      out[state.toMove] = (1 + outcome) / 2;
      out[1 - state.toMove] = (1 - outcome) / 2;
    };
  }

  /** All games of a thread share what has been found. */
  readonly #bestMoves: BestMoves<ConnectFourState> = (state, out) => {
    this.#perfect ??= new ConnectFourSolver(this, BEST_MOVES_TABLE_BITS);
    return this.#perfect.bestMoves(state, out);
  };

  initial(): ConnectFourState {
    return newConnectFourState();
  }

  toMove(state: ConnectFourState): number {
    return state.toMove;
  }

  legal(state: ConnectFourState, out: Int32Array): number {
    if (state.toMove < 0) return 0;
    let count = 0;
    for (let column = 0; column < this.board.columns; column++)
      if (isOpen(state, this.board, column)) out[count++] = column;
    return count;
  }

  play(state: ConnectFourState, column: number): void {
    const { board } = this;
    const mover = state.toMove;
    const shift = COLUMN_BITS * (column & (WORD_COLUMNS - 1));
    if (column < WORD_COLUMNS) {
      const stones = state.low0 | state.low1;
      const stone = (stones + (1 << shift)) & ~stones & (0xff << shift);
      if (mover === 0) state.low0 |= stone;
      else state.low1 |= stone;
    } else {
      const stones = state.high0 | state.high1;
      const stone = (stones + (1 << shift)) & ~stones & (0xff << shift);
      if (mover === 0) state.high0 |= stone;
      else state.high1 |= stone;
    }
    const four = mover === 0 ? hasFour(state.low0, state.high0) : hasFour(state.low1, state.high1);
    if (four) {
      state.winner = mover;
      state.toMove = OVER;
    } else
      state.toMove =
        (state.low0 | state.low1) === board.allLow && (state.high0 | state.high1) === board.allHigh
          ? OVER
          : 1 - mover;
  }

  copy(from: ConnectFourState, into: ConnectFourState): void {
    into.low0 = from.low0;
    into.high0 = from.high0;
    into.low1 = from.low1;
    into.high1 = from.high1;
    into.toMove = from.toMove;
    into.winner = from.winner;
  }

  returns(state: ConnectFourState, out: Float64Array): void {
    const { toMove, winner } = state;
    const even = toMove === OVER ? 0.5 : 0;
    out[0] = winner < 0 ? even : 1 - winner;
    out[1] = winner < 0 ? even : winner;
  }
}

/** Whether a column has an empty cell. */
function isOpen(
  { low0, high0, low1, high1 }: ConnectFourState,
  { topLow, topHigh }: ConnectFourBoard,
  column: number,
): boolean {
  const top = 0xff << (COLUMN_BITS * (column & (WORD_COLUMNS - 1)));
  return column < WORD_COLUMNS
    ? (topLow & top & ~(low0 | low1)) !== 0
    : (topHigh & top & ~(high0 | high1)) !== 0;
}
