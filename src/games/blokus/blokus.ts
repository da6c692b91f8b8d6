import { type Static, Type } from "../../schema.ts";
import { blokusBoard, type BlokusBoard, pieceOfAction, sizeOfPiece } from "./board.ts";
import { blokusPlayouts } from "./playouts.ts";
import { blokusDrawing } from "./drawing.ts";
import { blokusGains, blokusGrowth, blokusHash, blokusMoveBounds, blokusPassTo } from "./look-ahead.ts";
import { BlokusMoveSet, isLegal, MOST_LEGAL } from "./legal.ts";
import { blokusFeatures } from "./features.ts";
import { blokusActionPlanes, BlokusCells, blokusOwnership } from "./cells.ts";
import { blokusNotation } from "./notation.ts";
import { blokusPacking } from "./packing.ts";
import { compactPlanes, historyPlanes, mobilityPlanes } from "./planes.ts";
import { growPointTree } from "./point-tree.ts";
import { BlokusMoveFeatures } from "./policy/move-features.ts";
import { CornerPlayouts } from "./policy/corner-playouts.ts";
import { MONOMINO } from "./pieces.ts";
import { playBlokus } from "./play.ts";
import { type BlokusState, copyBlokusState, newBlokusState } from "./state.ts";
import { blokusSymmetry } from "./symmetry.ts";
import type {
  Drawing,
  DepthFirstAbilities,
  Facts,
  Game,
  LegalCounts,
  LinearAbilities,
  NetAbilities,
  Notation,
  PassTo,
  Planes,
  Playouts,
  Preference,
  Symmetry,
} from "../game.ts";

/** A position of `GameBlokus`. */
export type { BlokusState } from "./state.ts";

const scoring = Type.Union([Type.Literal("advanced"), Type.Literal("basic")], {
  default: "advanced",
  description:
    "advanced: minus the squares left, 15 more when all are placed and 5 more when the single square came last; basic: minus the squares left.",
});

/** Options of `blokus-duo`. */
export const optionsBlokusDuo = Type.Object({ scoring }, { additionalProperties: false });

/** Options of `blokus`. */
export const optionsBlokus = Type.Object(
  {
    scoring,
    size: Type.Integer({
      minimum: 5,
      maximum: 20,
      default: 20,
      description: "Rows and columns of the board. The seats begin in its corners.",
    }),
    largestPiece: Type.Integer({
      minimum: 3,
      maximum: 5,
      default: 5,
      description:
        "The most squares of a piece. Each seat has every polyomino of up to this many squares: 4 pieces of 9 squares for 3, 9 pieces of 29 for 4, 21 pieces of 89 for 5.",
    }),
  },
  { additionalProperties: false },
);

/** Makes a board at the first call, and with it the tables that all boards share. */
function boardOnce(make: () => BlokusBoard): () => BlokusBoard {
  let board: BlokusBoard | undefined;
  return () => {
    if (board === undefined) {
      growPointTree();
      board = make();
    }
    return board;
  };
}

/** A board for four players, who begin in its corners: in turn order from the top left one clockwise. */
function cornerBoard(size: number, largest: number): BlokusBoard {
  const last = size - 1;
  return blokusBoard(
    size,
    [
      [0, 0],
      [last, 0],
      [last, last],
      [0, last],
    ],
    largest,
  );
}

/** The board of the published game: 20x20 cells, all pieces. */
export const classicBoard: () => BlokusBoard = boardOnce(() => cornerBoard(20, 5));

/** The board of a game of `blokus` with these options. */
export function boardOfBlokus({
  size,
  largestPiece,
}: Pick<Static<typeof optionsBlokus>, "size" | "largestPiece">): BlokusBoard {
  if (size === 20 && largestPiece === 5) return classicBoard();
  growPointTree();
  return cornerBoard(size, largestPiece);
}

/** Whether a game of `blokus` has the published board and all pieces, as other programs and game files have it. */
export function isPublishedBlokus(game: Pick<Game<unknown>, "actions">): boolean {
  return game.actions === classicBoard().actions;
}

/** Blokus Duo: 14x14 cells, two players, start cells inside the board. */
export const duoBoard: () => BlokusBoard = boardOnce(() =>
  blokusBoard(14, [
    [4, 4],
    [9, 9],
  ]),
);

/**
 * The rules of Blokus (20x20 or smaller, four seats) and Blokus Duo (14x14, two seats).
 *
 * An action is a piece in one orientation at one place, numbered by `blokusBoard`: 30,433 on 20x20 and 13,729 in Duo, larger
 * pieces first. A first piece covers its seat's start cell; later ones touch a corner and no edge of a square of the same seat.
 * A seat that has a move must place. A seat without a move is passed over for good, which is not a ply. The game is over
 * when nobody can move. Returns are the scores, at any time as if the game ended now.
 */
export class GameBlokus implements Game<BlokusState> {
  readonly name: string;
  readonly players: number;
  readonly actions: number;
  readonly maxLegal: number;
  readonly returnBounds: readonly [number, number];
  readonly notation: Notation<BlokusState>;
  readonly drawing: Drawing<BlokusState>;
  readonly symmetry: Symmetry<BlokusState>;
  readonly figures: { readonly facts: Facts<BlokusState>; readonly legalCounts: LegalCounts<BlokusState> };
  readonly nets: Required<Omit<NetAbilities<BlokusState>, "score">> & {
    readonly planes: Readonly<Record<"history" | "compact" | "mobility", Planes<BlokusState>>>;
  };
  readonly linear: LinearAbilities<BlokusState> &
    Required<Pick<LinearAbilities<BlokusState>, "moveFeatures" | "playoutsBy">>;
  readonly search: { readonly preference: Preference; readonly passTo: PassTo<BlokusState> };
  readonly depthFirst: Required<Omit<DepthFirstAbilities<BlokusState>, "finalBounds">>;
  readonly playouts: Playouts<BlokusState>;
  readonly board: BlokusBoard;
  readonly scoring: Static<typeof scoring>;
  readonly #moves: BlokusMoveSet;

  constructor(name: string, board: BlokusBoard, options: Static<typeof optionsBlokusDuo>) {
    const { players } = board;
    this.name = name;
    this.board = board;
    this.scoring = options.scoring;
    this.players = players;
    this.actions = board.actions;
    this.maxLegal = Math.min(MOST_LEGAL, board.actions);
    this.returnBounds = [-board.squares, this.scoring === "advanced" ? 20 : 0];
    this.#moves = new BlokusMoveSet(board);
    this.notation = blokusNotation(board);
    const cells = new BlokusCells(board);
    this.drawing = blokusDrawing(cells, (state) =>
      Array.from({ length: players }, (_, seat) => this.score(state, seat)),
    );
    this.symmetry = blokusSymmetry(board);
    this.figures = {
      facts: (state) => ({
        squares: Math.max(...state.placed),
        squaresOfAll: state.placed.reduce((sum, squares) => sum + squares, 0),
        allPlaced: state.left.filter((pieces) => pieces === 0).length,
      }),
      legalCounts: (state, out) => {
        for (let seat = 0; seat < players; seat++) out[seat] = this.#moves.count(state, seat);
      },
    };
    this.nets = {
      planes: {
        history: historyPlanes(cells),
        compact: compactPlanes(cells),
        mobility: mobilityPlanes(cells, this.maxLegal),
      },
      actionPlanes: blokusActionPlanes(cells),
      ownership: blokusOwnership(cells),
      packing: blokusPacking(board),
      turnStep: (state) => state.step,
    };
    this.linear = {
      ...(players === 2 ? { features: blokusFeatures(board) } : {}),
      moveFeatures: new BlokusMoveFeatures(board),
      playoutsBy: (weights) => {
        const playouts = new CornerPlayouts(board, weights);
        return (state, random, recorder) => playouts.finish(state, random, recorder);
      },
    };
    this.search = {
      preference: (action) => sizeOfPiece[pieceOfAction(board, action)]!,
      passTo: blokusPassTo(board),
    };
    this.depthFirst = {
      staticEvaluations: {
        placed: (state, out) => {
          for (let seat = 0; seat < players; seat++) out[seat] = state.placed[seat]!;
        },
        score: (state, out) => this.returns(state, out),
      },
      growth: blokusGrowth(board, this.scoring),
      gains: blokusGains(board, this.scoring),
      moveBounds: blokusMoveBounds(board),
      isLegal: (state, action) => isLegal(state, board, state.toMove, action),
      hash: blokusHash(board),
    };
    this.playouts = blokusPlayouts(board);
  }

  initial(): BlokusState {
    return newBlokusState(this.board);
  }

  toMove(state: BlokusState): number {
    return state.toMove;
  }

  legal(state: BlokusState, out: Int32Array): number {
    return state.toMove < 0 ? 0 : this.#moves.list(state, state.toMove, out);
  }

  play(state: BlokusState, action: number): void {
    playBlokus(state, this.board, action);
  }

  copy(from: BlokusState, into: BlokusState): void {
    copyBlokusState(from, into);
  }

  returns(state: BlokusState, out: Float64Array): void {
    for (let seat = 0; seat < this.players; seat++) out[seat] = this.score(state, seat);
  }

  /** A seat's score as if the game ended now. */
  score(state: BlokusState, seat: number): number {
    if (state.left[seat] !== 0) return state.placed[seat]! - this.board.squares;
    if (this.scoring === "basic") return 0;
    let ply = state.plies - 1;
    while ((state.moves[ply]! & 3) !== seat) ply--;
    return pieceOfAction(this.board, state.moves[ply]! >> 2) === MONOMINO ? 20 : 15;
  }
}
