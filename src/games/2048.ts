import Type from "typebox";
import { NewTile } from "./2048-chance.ts";
import { drawing2048 } from "./2048-drawing.ts";
import {
  CELL,
  exponentIn,
  lineTables,
  MOVABLE,
  OCCUPIED,
  REWARD,
  SLID,
  spread,
  TOWARDS_END,
} from "./2048-lines.ts";
import { notation2048 } from "./2048-notation.ts";
import { symmetry2048 } from "./2048-symmetry.ts";
import { CHANCE, OVER } from "./game.ts";
import type { Chance, Drawing, Facts, Game, Notation, Packing, Planes, Symmetry } from "./game.ts";

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
export type Options2048 = Type.Static<typeof options2048>;

/** The decisions of 2048: the direction in which all tiles slide. */
export const UP = 0;
/** See `UP`. */
export const RIGHT = 1;
/** See `UP`. */
export const DOWN = 2;
/** See `UP`. */
export const LEFT = 3;

/** Number of one-hot channels of a cell: 0 = empty, k = tile 2^k, up to 2^17. */
export const CHANNELS_2048 = 18;

/**
 * A board of 2048, the score so far, and who moves.
 *
 * After a decision `toMove` is CHANCE and the board is the afterstate: slid, the new tile not yet there.
 */
export interface State2048 {
  /**
   * The board twice, as line codes (see `2048-lines.ts`): its four rows from the top, then its four columns from
   * the left. Boards smaller than 4x4 lie in the top left, the further cells empty.
   */
  readonly lines: Int32Array;
  /** Bit 4r + c is set where the cell in row r and column c is empty. */
  empty: number;
  score: number;
  toMove: number;
}

/**
 * The rules of 2048 on a board of 2x2 to 4x4 cells; the game goes on past the tile 2048.
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
  readonly facts: Facts<State2048>;
  readonly planes: Planes<State2048>;
  readonly packing: Packing<State2048>;
  readonly symmetry: Symmetry<State2048>;
  readonly #newTile: NewTile;
  /** Where the line tables have the entries for columns, and how much further on those for rows. */
  readonly #inColumns: number;
  readonly #fromColumnsToRows: number;
  /** `State2048.empty` of the empty board. */
  readonly #allEmpty: number;
  /** For each cell its place, 4r + c. */
  readonly #placeOf: Uint8Array;

  constructor(options: Options2048) {
    const { rows, columns } = options;
    const cells = rows * columns;
    this.rows = rows;
    this.columns = columns;
    this.maxLegal = Math.max(4, 2 * cells);
    this.returnBounds = [0, scoreBound(cells)];
    this.#inColumns = lineTables(rows);
    this.#fromColumnsToRows = lineTables(columns) - this.#inColumns;
    this.#placeOf = Uint8Array.from(
      { length: cells },
      (_, cell) => 4 * Math.floor(cell / columns) + (cell % columns),
    );
    this.#allEmpty = this.#placeOf.reduce((bits, place) => bits | (1 << place), 0);
    this.#newTile = new NewTile(this.#placeOf);
    this.chance = this.#newTile;
    this.notation = notation2048(this);
    this.drawing = drawing2048(this);
    this.facts = (state) => ({ maxTile: Math.max(...this.board(state)) });
    this.planes = {
      shape: [rows, columns, CHANNELS_2048],
      write: (state, out, offset) => {
        out.fill(0, offset, offset + cells * CHANNELS_2048);
        for (let cell = 0; cell < cells; cell++)
          out[offset + cell * CHANNELS_2048 + Math.min(this.exponent(state, cell), CHANNELS_2048 - 1)] = 1;
      },
    };
    this.packing = {
      bytes: cells,
      pack: (state, out, offset) => {
        for (let cell = 0; cell < cells; cell++) out[offset + cell] = this.exponent(state, cell);
      },
      // The score and the mover are not packed: the state comes back with score 0, and as an afterstate where a
      // cell is empty.
      unpack: (from, offset, into) => {
        this.#place(from, offset, into);
        into.score = 0;
        into.toMove = into.empty !== 0 ? CHANCE : this.#movable(into.lines) ? 0 : OVER;
      },
    };
    this.symmetry = symmetry2048(this);
  }

  initial(): State2048 {
    return { lines: new Int32Array(8), empty: this.#allEmpty, score: 0, toMove: CHANCE };
  }

  toMove(state: State2048): number {
    return state.toMove;
  }

  legal(state: State2048, out: Int32Array): number {
    if (state.toMove === CHANCE) return this.#newTile.possible(state, out);
    if (state.toMove === OVER) return 0;
    const horizontal = movable(state.lines, 0, this.#inColumns + this.#fromColumnsToRows);
    const vertical = movable(state.lines, 4, this.#inColumns);
    // Written in any case and counted where legal: no branch to mispredict.
    out[0] = UP;
    let count = vertical & 1;
    out[count] = RIGHT;
    count += horizontal >> 1;
    out[count] = DOWN;
    count += vertical >> 1;
    out[count] = LEFT;
    return count + (horizontal & 1);
  }

  play(state: State2048, action: number): void {
    if (state.toMove === CHANCE) this.#spawn(state, action);
    else {
      // Arithmetic in place of branches, which would be mispredicted at every other move.
      const horizontal = action & 1;
      const towards = ((action ^ (action >> 1)) & 1) * TOWARDS_END;
      this.#slide(
        state,
        4 - 4 * horizontal,
        this.#inColumns + horizontal * this.#fromColumnsToRows + towards,
      );
    }
  }

  copy(from: State2048, into: State2048): void {
    const source = from.lines;
    const target = into.lines;
    for (let i = 0; i < 8; i++) target[i] = source[i]!;
    into.empty = from.empty;
    into.score = from.score;
    into.toMove = from.toMove;
  }

  returns(state: State2048, out: Float64Array): void {
    out[0] = state.score;
  }

  /** The exponent in a cell, numbered row by row from the top left: 0 = empty, k = tile 2^k. */
  exponent(state: State2048, cell: number): number {
    const place = this.#placeOf[cell]!;
    return exponentIn(state.lines[place >> 2]!, place & 3);
  }

  /** The tile values, row by row from the top left; 0 = empty. */
  board(state: State2048): number[] {
    const tiles: number[] = [];
    for (let cell = 0; cell < this.rows * this.columns; cell++) {
      const exponent = this.exponent(state, cell);
      tiles.push(exponent === 0 ? 0 : 2 ** exponent);
    }
    return tiles;
  }

  /**
   * A state with the player to move, or OVER, on this board: tile values row by row from the top left (0 = empty,
   * else a power of two, 2 to 2^17). `score` is the score so far. Throws RangeError for any other board.
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
        throw new RangeError(`tile ${cell} is ${tile}, not 0 or a power of two from 2 to 131072`);
      exponents[cell] = exponent;
    }
    const state = this.initial();
    this.#place(exponents, 0, state);
    state.score = score;
    state.toMove = this.#movable(state.lines) ? 0 : OVER;
    return state;
  }

  /**
   * Slides the board of a state in which the player moves, without a new tile: returns the reward and leaves the
   * afterstate, or returns -1 and changes nothing where the slide is illegal.
   */
  slide(state: State2048, action: number): number {
    const legal = new Int32Array(this.maxLegal);
    if (state.toMove !== 0 || !legal.subarray(0, this.legal(state, legal)).includes(action)) return -1;
    const before = state.score;
    this.play(state, action);
    return state.score - before;
  }

  /** Slides the lines from `along` on, 0 for rows or 4 for columns. `entries`: where `SLID` has this move's lines. */
  #slide(state: State2048, along: number, entries: number): void {
    const lines = state.lines;
    const before0 = lines[along]!;
    const before1 = lines[along + 1]!;
    const before2 = lines[along + 2]!;
    const before3 = lines[along + 3]!;
    const line0 = SLID[entries + before0]!;
    const line1 = SLID[entries + before1]!;
    const line2 = SLID[entries + before2]!;
    const line3 = SLID[entries + before3]!;
    lines[along] = line0;
    lines[along + 1] = line1;
    lines[along + 2] = line2;
    lines[along + 3] = line3;
    const across = 4 - along;
    lines[across] = crossing(line0, line1, line2, line3);
    lines[across + 1] = crossing(line0 >> 1, line1 >> 1, line2 >> 1, line3 >> 1);
    lines[across + 2] = crossing(line0 >> 2, line1 >> 2, line2 >> 2, line3 >> 2);
    lines[across + 3] = crossing(line0 >> 3, line1 >> 3, line2 >> 3, line3 >> 3);
    state.empty = this.#allEmpty & ~occupied(lines);
    // The reward is the same in both directions and stands with the moves towards cell 0.
    const rewards = entries & (TOWARDS_END - 1);
    state.score +=
      REWARD[rewards + before0]! +
      REWARD[rewards + before1]! +
      REWARD[rewards + before2]! +
      REWARD[rewards + before3]!;
    state.toMove = CHANCE;
  }

  #spawn(state: State2048, outcome: number): void {
    const lines = state.lines;
    const place = this.#placeOf[outcome >> 1]!;
    const row = place >> 2;
    const column = place & 3;
    // A 2-tile sets the lowest slice of its cell, a 4-tile the next one.
    const slice = (outcome & 1) << 2;
    lines[row]! |= 1 << (column + slice);
    lines[4 + column]! |= 1 << (row + slice);
    const first = state.empty === this.#allEmpty;
    const empty = state.empty & ~(1 << place);
    state.empty = empty;
    // With an empty cell left there is always a legal slide.
    state.toMove = first ? CHANCE : empty !== 0 || this.#movable(lines) ? 0 : OVER;
  }

  #movable(lines: Int32Array): boolean {
    return (
      (movable(lines, 0, this.#inColumns + this.#fromColumnsToRows) | movable(lines, 4, this.#inColumns)) !==
      0
    );
  }

  #place(exponents: Uint8Array, offset: number, into: State2048): void {
    const lines = into.lines.fill(0);
    for (let cell = 0; cell < this.rows * this.columns; cell++) {
      const place = this.#placeOf[cell]!;
      const bits = spread(exponents[offset + cell]!);
      lines[place >> 2]! |= bits << (place & 3);
      lines[4 + (place & 3)]! |= bits << (place >> 2);
    }
    into.empty = this.#allEmpty & ~occupied(lines);
  }
}

/** The `MOVABLE` bits of the four lines from `start` on together; `entries`: where the table has lines of their length. */
function movable(lines: Int32Array, start: number, entries: number): number {
  return (
    MOVABLE[entries + lines[start]!]! |
    MOVABLE[entries + lines[start + 1]!]! |
    MOVABLE[entries + lines[start + 2]!]! |
    MOVABLE[entries + lines[start + 3]!]!
  );
}

/** Bit 4r + c: the cell in row r and column c holds a tile. */
function occupied(lines: Int32Array): number {
  return (
    OCCUPIED[lines[0]!]! |
    (OCCUPIED[lines[1]!]! << 4) |
    (OCCUPIED[lines[2]!]! << 8) |
    (OCCUPIED[lines[3]!]! << 12)
  );
}

/** The line that crosses four lines at their cells 0: with rows given, column 0; with columns given, row 0. */
function crossing(line0: number, line1: number, line2: number, line3: number): number {
  return (line0 & CELL) | ((line1 & CELL) << 1) | ((line2 & CELL) << 2) | ((line3 & CELL) << 3);
}

/**
 * What no score on this many cells exceeds. At best the tiles end as the chain 2^(cells + 1), ..., 8, 4, and a tile
 * 2^k has earned at most (k - 1) 2^k on its way, that is when all of it came as 2-tiles.
 */
function scoreBound(cells: number): number {
  let score = 0;
  for (let k = 2; k <= cells + 1; k++) score += (k - 1) * 2 ** k;
  return score;
}
