import { hashStones } from "../bits.ts";
import type {
  DepthFirstAbilities,
  Drawing,
  Figures,
  Game,
  LinearAbilities,
  NetAbilities,
  Notation,
  Playouts,
  SearchAbilities,
  Symmetry,
} from "../game.ts";
import { OVER } from "../game.ts";
import { type OthelloBoard, othelloBoard } from "./board.ts";
import { othelloDrawing } from "./drawing.ts";
import { discCount, othelloEvaluations, othelloFeatures } from "./evaluations.ts";
import { addDisc, othelloNets } from "./nets.ts";
import { othelloNotation } from "./notation.ts";
import type { OptionsOthello } from "./options.ts";
import { othelloPlayouts } from "./playouts.ts";
import { boundDiscs } from "./stable-discs.ts";
import { squarePreference } from "./squares.ts";
import { isMove, newOthelloState, type OthelloState, playOthello, settleOthello } from "./state.ts";
import { othelloSymmetry } from "./symmetry.ts";

/**
 * The rules of Othello.
 *
 * An action is a square, numbered row by row from the top left, or the pass, size * size, which is legal only if no other
 * move is. A disc turns over the lines of the opponent's discs between it and another own disc, and must turn over at
 * least one. The game is over when neither seat can place a disc. Seat 0 is Black and moves first. The seat with more
 * discs has the return 1, the other 0, both .5 if they have as many; until the game is over both returns are 0.
 */
export class GameOthello implements Game<OthelloState> {
  readonly name = "othello";
  readonly players = 2;
  readonly actions: number;
  readonly maxLegal: number;
  readonly returnBounds = [0, 1] as const;
  readonly notation: Notation<OthelloState>;
  readonly drawing: Drawing<OthelloState>;
  readonly symmetry: Symmetry<OthelloState>;
  readonly figures: Figures<OthelloState>;
  readonly nets: NetAbilities<OthelloState>;
  readonly linear: LinearAbilities<OthelloState>;
  readonly depthFirst: DepthFirstAbilities<OthelloState>;
  readonly playouts: Playouts<OthelloState>;
  readonly search: SearchAbilities<OthelloState>;
  readonly board: OthelloBoard;

  constructor(options: OptionsOthello) {
    const board = othelloBoard(options);
    this.board = board;
    this.actions = board.squares + 1;
    this.maxLegal = board.squares - 4;
    this.notation = othelloNotation(board);
    this.drawing = othelloDrawing(board);
    this.symmetry = othelloSymmetry(board);
    this.figures = {
      facts: (state) => ({ blackDiscs: discCount(state, 0), whiteDiscs: discCount(state, 1) }),
    };
    this.nets = othelloNets(board);
    this.linear = { features: othelloFeatures(board) };
    this.depthFirst = {
      staticEvaluations: othelloEvaluations(board),
      finalBounds: { discs: (state, least, most) => boundDiscs(state, board, least, most) },
      isLegal: (state, action) =>
        action === board.pass
          ? (state.movesLow | state.movesHigh) === 0
          : isMove(state, board.bitOf[action]!),
      hash: ({ low0, high0, low1, high1, toMove }, out) => hashStones(low0, high0, low1, high1, toMove, out),
    };
    this.playouts = othelloPlayouts(board);
    this.search = { preference: squarePreference(board) };
  }

  initial(): OthelloState {
    const state = newOthelloState();
    const { size } = this.board;
    const after = size / 2;
    const set = (row: number, column: number, seat: number) => addDisc(state, 8 * row + column, seat);
    set(after - 1, after, 0);
    set(after, after - 1, 0);
    set(after - 1, after - 1, 1);
    set(after, after, 1);
    settleOthello(state, this.board, 0);
    return state;
  }

  toMove(state: OthelloState): number {
    return state.toMove;
  }

  legal(state: OthelloState, out: Int32Array): number {
    if (state.toMove < 0) return 0;
    const { actionOf, pass } = this.board;
    let count = 0;
    for (let word = state.movesLow; word !== 0; word &= word - 1)
      out[count++] = actionOf[31 - Math.clz32(word & -word)]!;
    for (let word = state.movesHigh; word !== 0; word &= word - 1)
      out[count++] = actionOf[63 - Math.clz32(word & -word)]!;
    if (count === 0) out[count++] = pass;
    return count;
  }

  play(state: OthelloState, action: number): void {
    const { board } = this;
    playOthello(state, board, action === board.pass ? -1 : board.bitOf[action]!);
  }

  copy(from: OthelloState, into: OthelloState): void {
    into.low0 = from.low0;
    into.high0 = from.high0;
    into.low1 = from.low1;
    into.high1 = from.high1;
    into.movesLow = from.movesLow;
    into.movesHigh = from.movesHigh;
    into.toMove = from.toMove;
  }

  returns(state: OthelloState, out: Float64Array): void {
    if (state.toMove !== OVER) {
      out[0] = 0;
      out[1] = 0;
      return;
    }
    const margin = discCount(state, 0) - discCount(state, 1);
    out[0] = margin > 0 ? 1 : margin === 0 ? 0.5 : 0;
    out[1] = 1 - out[0];
  }
}
