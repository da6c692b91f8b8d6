import { type Static, Type } from "../../schema.ts";
import {
  boardSize,
  emptyBoard,
  exponentAt,
  letPlayerMove,
  putTile,
  setBoard,
  slideTiles,
  tilesOf,
} from "./board.ts";
import type { BoardSize, State2048 } from "./board.ts";
import { newTile, possibleTiles } from "./chance.ts";
import { downgrade2048 } from "./downgrade.ts";
import { drawing2048 } from "./drawing.ts";
import { notation2048 } from "./notation.ts";
import { packing2048 } from "./packing.ts";
import { symmetry2048 } from "./symmetry.ts";
import { CHANCE } from "../game.ts";
import type {
  Chance,
  Downgrade,
  Drawing,
  Facts,
  Game,
  Notation,
  Packing,
  Planes,
  Symmetry,
} from "../game.ts";

/** A position of `Game2048`. */
export type { State2048 } from "./board.ts";

/** Options of `2048`: the board's size. */
export const options2048 = Type.Object(
  {
    rows: Type.Integer({ minimum: 2, maximum: 4, default: 4, description: "Rows of the board, 2 to 4." }),
    columns: Type.Integer({
      minimum: 2,
      maximum: 4,
      default: 4,
      description: "Columns of the board, 2 to 4.",
    }),
  },
  { additionalProperties: false },
);

/** The options of `2048` as a value. */
export type Options2048 = Static<typeof options2048>;

/** The decisions of 2048: the direction in which all tiles slide. */
export const UP = 0;
/** See `UP`. */
export const RIGHT = 1;
/** See `UP`. */
export const DOWN = 2;
/** See `UP`. */
export const LEFT = 3;

/** Number of one-hot channels of a cell: 0 = empty, k = tile 2^k, up to 2^17. */
const CHANNELS_2048 = 18;

/** The expected return of perfect play from the start, computed over all positions (`test/models/n-tuple/optimum-2048.ts`). */
const OPTIMA: Readonly<Record<string, number>> = {
  "2x2": 66.9641494571,
  "2x3": 480.258271776,
  "3x3": 5468.4867974103,
};

/**
 * The rules of 2048 on a board of 2x2 to 4x4 cells; the game continues past the tile 2048.
 *
 * The initial board is empty and chance moves twice; then player and chance take turns. Decisions are 0 up,
 * 1 right, 2 down, 3 left; a slide that changes nothing is illegal. A chance outcome is cell * 2 + (0 for a
 * 2-tile, 1 for a 4-tile), cells numbered row by row from the top left; probability .9 or .1, over the number of
 * empty cells. The return is the score so far: the sum of all tiles made by merging.
 */
export class Game2048 implements Game<State2048> {
  readonly name = "2048";
  readonly players = 1;
  readonly actions = 4;
  readonly maxLegal: number;
  readonly returnBounds: readonly [number, number];
  readonly rows: number;
  readonly columns: number;
  readonly chance: Chance<State2048>;
  readonly notation: Notation<State2048>;
  readonly drawing: Drawing<State2048>;
  readonly symmetry: Symmetry<State2048>;
  readonly figures: { readonly facts: Facts<State2048>; readonly optimum?: number };
  readonly nets: {
    readonly planes: { readonly tiles: Planes<State2048> };
    readonly packing: Packing<State2048>;
  };
  readonly search: { readonly downgrade: Downgrade<State2048> };
  /** For the functions of `board.ts`. */
  readonly size: BoardSize;

  constructor(options: Options2048) {
    const { rows, columns } = options;
    const cells = rows * columns;
    this.rows = rows;
    this.columns = columns;
    this.maxLegal = Math.max(4, 2 * cells);
    this.returnBounds = [0, scoreBound(cells)];
    const size = boardSize(rows, columns);
    this.size = size;
    this.chance = newTile(size);
    this.notation = notation2048(size);
    this.drawing = drawing2048(size);
    const optimum = OPTIMA[`${Math.min(rows, columns)}x${Math.max(rows, columns)}`];
    this.figures = {
      facts: (state) => ({ maxTile: Math.max(...this.board(state)) }),
      ...(optimum === undefined ? {} : { optimum }),
    };
    this.nets = {
      planes: {
        tiles: {
          shape: [rows, columns, CHANNELS_2048],
          encoding: [{ as: "bits", channels: CHANNELS_2048 }],
          write: (state, out, offset) => {
            out.fill(0, offset, offset + cells * CHANNELS_2048);
            for (let cell = 0; cell < cells; cell++)
              out[offset + cell * CHANNELS_2048 + Math.min(this.exponent(state, cell), CHANNELS_2048 - 1)] =
                1;
          },
        },
      },
      packing: packing2048(size),
    };
    this.symmetry = symmetry2048(size);
    this.search = { downgrade: downgrade2048(size) };
  }

  initial(): State2048 {
    return emptyBoard(this.size);
  }

  toMove(state: State2048): number {
    return state.toMove;
  }

  legal(state: State2048, out: Int32Array): number {
    if (state.toMove === CHANCE) return possibleTiles(state, this.size.placeOf, out);
    // Written in any case and counted if legal: no branch to mispredict.
    const slides = state.slides;
    out[0] = UP;
    let count = slides & 1;
    out[count] = RIGHT;
    count += (slides >> 1) & 1;
    out[count] = DOWN;
    count += (slides >> 2) & 1;
    out[count] = LEFT;
    return count + (slides >> 3);
  }

  play(state: State2048, action: number): void {
    if (state.toMove === CHANCE) putTile(state, action, this.size);
    else slideTiles(state, action, this.size);
  }

  copy(from: State2048, into: State2048): void {
    const source = from.lines;
    const target = into.lines;
    for (let i = 0; i < 8; i++) target[i] = source[i]!;
    into.empty = from.empty;
    into.slides = from.slides;
    into.score = from.score;
    into.toMove = from.toMove;
  }

  returns(state: State2048, out: Float64Array): void {
    out[0] = state.score;
  }

  /** The exponent in a cell, numbered row by row from the top left: 0 = empty, k = tile 2^k. */
  exponent(state: State2048, cell: number): number {
    return exponentAt(state, cell, this.size);
  }

  /** The tile values, row by row from the top left; 0 = empty. */
  board(state: State2048): number[] {
    return tilesOf(state, this.size);
  }

  /**
   * A state with the player to move, or OVER, on this board: tile values row by row from the top left (0 = empty,
   * else a power of two, 2 to 2^17). `score` is the score so far. Throws RangeError for any other board. No game makes a tile
   * greater than 2^17 (its board would have to be full of 2^17, 2^16, ..., 4 and have room for one more); from boards
   * that no game reaches, with two 2^17, play goes up to 2^18.
   */
  fromBoard(tiles: ArrayLike<number>, score = 0): State2048 {
    const cells = this.rows * this.columns;
    if (tiles.length !== cells)
      throw new RangeError(`a board of ${this.rows}x${this.columns} has ${cells} tiles, not ${tiles.length}`);
    const exponents = new Uint8Array(cells);
    for (let cell = 0; cell < cells; cell++) {
      const tile = tiles[cell]!;
      const exponent = tile === 0 ? 0 : Math.log2(tile);
      if (!Number.isInteger(exponent) || exponent < 0 || exponent > 17 || tile === 1)
        throw new RangeError(
          `tile ${cell} is ${tile}, not 0 or a power of two from 2 to 131072 (2^17, the greatest that a game can reach)`,
        );
      exponents[cell] = exponent;
    }
    const state = this.initial();
    setBoard(state, exponents, 0, this.size);
    state.score = score;
    letPlayerMove(state, this.size);
    return state;
  }

  /**
   * Slides the board of a state in which the player moves, without a new tile: returns the reward and leaves the
   * afterstate, or returns -1 and changes nothing if the slide is illegal.
   */
  slide(state: State2048, action: number): number {
    if (((state.slides >> action) & 1) === 0) return -1;
    const before = state.score;
    this.play(state, action);
    return state.score - before;
  }
}

/**
 * An upper bound of the score on this many cells. At best the tiles end as the chain 2^(cells + 1), ..., 8, 4. The merges
 * of a tile 2^k have scored at most (k - 1) 2^k: when all of it came as 2-tiles.
 */
function scoreBound(cells: number): number {
  let score = 0;
  for (let k = 2; k <= cells + 1; k++) score += (k - 1) * 2 ** k;
  return score;
}
