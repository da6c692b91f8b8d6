import { type GoBoard, EMPTY, MOST_CELLS, PASS_CELL, neighbour } from "../board.ts";
import { chainLiberties } from "../chains.ts";
import { LadderReader } from "../ladder.ts";
import { Marks } from "../marks.ts";
import type { MoveFeatureNumbers } from "./move-feature-numbers.ts";
import { LARGEST_NAKADE, nakadeKey, type NakadeShapes, nakadeShapes } from "./nakade.ts";
import { DIAMOND, type ResponsePatterns, responsePatterns } from "./response-patterns.ts";
import { type GoState, lastMove } from "../state.ts";
import { isSuicide } from "../superko.ts";

/** Slots of features in the row of a move; the first has the pattern around the move. */
export const SLOTS = 8;
/** The slot of the response pattern. */
export const RESPONSE_PATTERN_SLOT = 1;
/** The slot of `response`. */
export const RESPONSE_SLOT = 2;
/** The slot of a neighbour of the last move. */
export const NEIGHBOUR_SLOT = 3;
const SAVE_SLOT = 4;
const NAKADE_SLOT = 5;
const CAPTURE_SLOT = 6;
const ESCAPE_SLOT = 7;

/** A chain beside the last move has at most as many rescues as neighbours; there are four such chains. */
const MOST_OPEN = 8 * MOST_CELLS;

/**
 * Finds the features that only few moves of a position have: all except the pattern around a move. Empty points have them
 * whether a move there is legal or not.
 */
export class LocalFeatures {
  /** What was found: the cell of a move, a slot and a feature in each of the first `count` places. */
  readonly cells = new Int16Array(5 * MOST_CELLS);
  readonly slots = new Uint8Array(5 * MOST_CELLS);
  readonly features = new Int32Array(5 * MOST_CELLS);
  count = 0;
  /**
   * Moves that have `response`: the cell, the response pattern and the feature of a neighbour in each of the first
   * `responseCount` places; `nothing` if a move has none.
   */
  readonly responseCells = new Int16Array(DIAMOND);
  readonly responsePatterns = new Int32Array(DIAMOND);
  readonly responseNeighbours = new Int32Array(DIAMOND);
  responseCount = 0;
  /**
   * Moves that may be ladders: the cell, the slot and the feature in each of the first `openCount` places; `isLadder` reads them. A cell
   * may be open several times, for chains beside the last move that it rescues.
   */
  readonly openCells = new Int16Array(MOST_OPEN);
  readonly openSlots = new Uint8Array(MOST_OPEN);
  readonly openFeatures = new Int32Array(MOST_OPEN);
  openCount = 0;
  /** By place: the chain; and its other liberty for a capture, or 1 for an escape that needs no reading. */
  readonly #openChains = new Int16Array(MOST_OPEN);
  readonly #openOthers = new Int16Array(MOST_OPEN);
  readonly #board: GoBoard;
  readonly #numbers: MoveFeatureNumbers;
  readonly #responses: ResponsePatterns;
  readonly #nakade: NakadeShapes;
  readonly #ladders: LadderReader;
  /** By place of the diamond: the step to it; from eight on, the step to the neighbour before it. */
  readonly #steps: Int16Array;
  readonly #before: Int16Array;
  /** By cell: 32 * row + column. */
  readonly #squares: Int16Array;

  constructor(board: GoBoard, numbers: MoveFeatureNumbers) {
    const { stride, size } = board;
    this.#board = board;
    this.#numbers = numbers;
    this.#responses = responsePatterns();
    this.#nakade = nakadeShapes();
    this.#ladders = new LadderReader(board);
    const beside = [-stride, 1, stride, -1];
    const ring = [-stride - 1, -stride, 1 - stride, 1, stride + 1, stride, stride - 1, -1];
    this.#steps = Int16Array.from([...ring, ...beside.map((step) => 2 * step)]);
    this.#before = Int16Array.from([...ring, ...beside]);
    this.#squares = Int16Array.from(board.pointOf, (point) =>
      point < 0 ? 0 : 32 * Math.floor(point / size) + (point % size),
    );
  }

  /** Finds the features of the moves at a decision ply; ladders stay open. */
  find(state: GoState): void {
    this.count = 0;
    this.openCount = 0;
    this.responseCount = 0;
    const last = lastMove(state, 1);
    const played = last > PASS_CELL;
    if (played) {
      this.#findResponses(state, last);
      this.#findNakade(state, last);
      this.#openLadderCaptures(state, last);
    }
    this.#findRescues(state, played ? last : 0);
  }

  #add(cell: number, slot: number, feature: number): void {
    const at = this.count++;
    this.cells[at] = cell;
    this.slots[at] = slot;
    this.features[at] = feature;
  }

  /** Response, response pattern, neighbour: moves in the diamond around the last move. */
  #findResponses({ colour, head, liberties, toMove }: GoState, last: number): void {
    const steps = this.#steps;
    const { rows, starts } = this.#responses;
    const { nothing, responsePattern, beside, corner } = this.#numbers;
    // Black, White as mover and opponent.
    const swap = toMove === 0 ? 0 : 3;
    let code = 0;
    for (let place = 0; place < 8; place++) {
      const there = colour[last + steps[place]!]!;
      code |= (there === 1 || there === 2 ? there ^ swap : there) << (2 * place);
    }
    // After a suicide there is no stone.
    const present = colour[last] !== EMPTY;
    const start = rows[code]! * DIAMOND;
    const few = Math.min(3, liberties[head[last]!]!);
    for (let place = 0; place < DIAMOND; place++) {
      if (place >= 8 && this.#board.pointOf[last + this.#before[place]!]! < 0) continue;
      const cell = last + steps[place]!;
      if (colour[cell] !== EMPTY) continue;
      const at = this.responseCount++;
      this.responseCells[at] = cell;
      this.responsePatterns[at] = present ? responsePattern + starts[start + place]! + few : nothing;
      this.responseNeighbours[at] = place >= 8 ? nothing : (place & 1) === 1 ? beside : corner;
    }
  }

  /** Moves in the space that the last move made by a capture. */
  #findNakade({ history, plies }: GoState, last: number): void {
    const from = plies === 1 ? 0 : history.capturedEnd[plies - 2]!;
    const end = history.capturedEnd[plies - 1]!;
    if (from === end || history.captured[from] === last) return;
    const { captured } = history;
    const { numbers } = this.#nakade;
    const inside = space.wipe();
    for (let i = from; i < end; i++) space.of[captured[i]!] = inside;
    for (let i = from; i < end; i++) {
      const count = this.#takeChain(captured[i]!, inside);
      if (count > LARGEST_NAKADE) continue;
      for (let k = 0; k < count; k++) squares[k] = this.#squares[walked[k]!]!;
      for (let k = 0; k < count; k++) {
        const shape = numbers.get(nakadeKey(squares, count, squares[k]!))!;
        this.#add(walked[k]!, NAKADE_SLOT, this.#numbers.nakade + shape);
      }
    }
  }

  /** Lists the marked cells that hang together with a cell in `walked`, and takes their marks; 0 if it has none. */
  #takeChain(start: number, inside: number): number {
    const { stride } = this.#board;
    if (space.of[start] !== inside) return 0;
    let count = 1;
    walked[0] = start;
    space.of[start] = 0;
    for (let i = 0; i < count; i++)
      for (let side = 0; side < 4; side++) {
        const cell = neighbour(walked[i]!, side, stride);
        if (space.of[cell] !== inside) continue;
        space.of[cell] = 0;
        walked[count++] = cell;
      }
    return count;
  }

  /** Moves that may catch the chain of the last move in a ladder: its two liberties. */
  #openLadderCaptures(state: GoState, last: number): void {
    const { head, liberties } = state;
    if (liberties[head[last]!] !== 2) return;
    chainLiberties(state, this.#board, last, found);
    const first = found[0]!;
    const second = found[1]!;
    this.#open(first, CAPTURE_SLOT, last, second);
    this.#open(second, CAPTURE_SLOT, last, first);
  }

  #open(cell: number, slot: number, chain: number, other: number): void {
    const at = this.openCount++;
    this.openCells[at] = cell;
    this.openSlots[at] = slot;
    this.openFeatures[at] = slot === CAPTURE_SLOT ? this.#numbers.ladderCapture : this.#numbers.ladderEscape;
    this.#openChains[at] = chain;
    this.#openOthers[at] = other;
  }

  /** Reads the ladder at a place: whether the move has the feature of its slot. */
  isLadder(state: GoState, place: number): boolean {
    const cell = this.openCells[place]!;
    const chain = this.#openChains[place]!;
    const other = this.#openOthers[place]!;
    if (this.openSlots[place] === ESCAPE_SLOT)
      return other === 1 || this.#ladders.escapes(state.colour, chain, cell);
    return this.#mayCatch(state, cell, other) && this.#ladders.captures(state.colour, chain, cell);
  }

  /**
   * Whether a move at `at` is legal but for ko, and may catch a chain that then has the liberty `other`: an answer there does
   * not by itself give the chain three liberties, its own and those of chains that it joins. Few ladders are left to read.
   */
  #mayCatch(state: GoState, at: number, other: number): boolean {
    const { colour, head, liberties, next, toMove } = state;
    const { stride } = this.#board;
    const mark = visited.wipe();
    const marks = visited.of;
    marks[at] = mark;
    marks[other] = mark;
    let free = 0;
    for (let side = 0; side < 4; side++) {
      const cell = neighbour(other, side, stride);
      if (colour[cell] === EMPTY) {
        if (marks[cell] === mark) continue;
        marks[cell] = mark;
        if (++free === SAFE) return false;
      } else if (colour[cell] === 2 - toMove && liberties[head[cell]!]! >= SAFE + 2) return false;
    }
    for (let side = 0; side < 4; side++) {
      const first = neighbour(other, side, stride);
      // The prey itself has no other liberty.
      if (colour[first] !== 2 - toMove || liberties[head[first]!]! < 2) continue;
      let stone = first;
      do {
        for (let around = 0; around < 4; around++) {
          const cell = neighbour(stone, around, stride);
          if (colour[cell] !== EMPTY || marks[cell] === mark) continue;
          marks[cell] = mark;
          if (++free === SAFE) return false;
        }
        stone = next[stone]!;
      } while (stone !== first);
    }
    return !isSuicide(state, this.#board, at);
  }

  /** Save atari and ladder escape: moves that rescue a chain in atari. */
  #findRescues(state: GoState, last: number): void {
    const { colour, head, liberties, toMove } = state;
    const board = this.#board;
    const own = toMove + 1;
    let prey = 0;
    let weak = 0;
    for (let cell = board.stride; cell < board.cells; cell++) {
      if (liberties[cell] !== 1) continue;
      if (colour[cell] === own) chains[prey++] = cell;
      else chains[MOST_CELLS - ++weak] = cell;
    }
    if (prey === 0) return;
    const saving = saved.wipe();
    for (let i = 0; i < prey; i++) {
      const chain = chains[i]!;
      chainLiberties(state, board, chain, found);
      const liberty = found[0]!;
      lastLiberty[chain] = liberty;
      const after = libertiesAfter(state, board, liberty);
      if (after > 1) this.#rescue(state, last, chain, liberty, after === SAFE, saving);
    }
    for (let i = 1; i <= weak; i++) {
      const chain = chains[MOST_CELLS - i]!;
      chainLiberties(state, board, chain, found);
      const liberty = found[0]!;
      let stone = chain;
      do {
        for (let side = 0; side < 4; side++) {
          const beside = head[neighbour(stone, side, board.stride)]!;
          // If both have one last liberty, the first loop has found what a move there leaves.
          if (liberties[beside] === 1 && colour[beside] === own && lastLiberty[beside] !== liberty)
            this.#rescue(state, last, beside, liberty, false, saving);
        }
        stone = state.next[stone]!;
      } while (stone !== chain);
    }
  }

  /**
   * A move takes a chain out of atari, `safe` for certain: adds the feature once, and opens the ladder of a chain beside
   * the last move.
   */
  #rescue({ head }: GoState, last: number, chain: number, cell: number, safe: boolean, saving: number): void {
    if (saved.of[cell] !== saving) {
      saved.of[cell] = saving;
      this.#add(cell, SAVE_SLOT, this.#numbers.saveAtari);
    }
    if (last === 0) return;
    const { stride } = this.#board;
    if (
      head[last - stride] === chain ||
      head[last - 1] === chain ||
      head[last + 1] === chain ||
      head[last + stride] === chain
    )
      this.#open(cell, ESCAPE_SLOT, chain, safe ? 1 : 0);
  }
}

/** Cells that a walk has visited; those that a capture has emptied; moves that rescue a chain. */
const visited = new Marks();
const space = new Marks();
const saved = new Marks();
/** Scratch arrays. */
const walked = new Int16Array(MOST_CELLS);
const squares = new Int16Array(LARGEST_NAKADE);
const found = new Int16Array(MOST_CELLS);
/** Chains in atari: the mover's from the front, the opponent's from the end. */
const chains = new Int16Array(MOST_CELLS);
/** By head of a chain of the mover in atari: its liberty. */
const lastLiberty = new Int16Array(MOST_CELLS);

/** Liberties that get a chain out of atari for good: no ladder catches it. */
const SAFE = 3;

/** The liberties of the chain of a stone that the mover places on an empty cell, counted up to `SAFE`. */
function libertiesAfter(state: GoState, board: GoBoard, cell: number): number {
  const { colour, head, liberties, next, toMove } = state;
  const { stride } = board;
  const own = toMove + 1;
  const mark = visited.wipe();
  const marks = visited.of;
  marks[cell] = mark;
  let count = 0;
  for (let side = 0; side < 4; side++) {
    const beside = neighbour(cell, side, stride);
    const there = colour[beside]!;
    // A captured stone leaves a liberty.
    if (there === EMPTY || (there === 3 - own && liberties[head[beside]!] === 1)) {
      marks[beside] = mark;
      if (++count === SAFE) return SAFE;
    } else if (there === own && liberties[head[beside]!]! > SAFE) return SAFE;
  }
  for (let side = 0; side < 4; side++) {
    const beside = neighbour(cell, side, stride);
    if (colour[beside] !== own) continue;
    let stone = beside;
    do {
      for (let around = 0; around < 4; around++) {
        const point = neighbour(stone, around, stride);
        if (marks[point] === mark) continue;
        const there = colour[point]!;
        if (there !== EMPTY && !(there === 3 - own && isCaptured(state, board, point, cell))) continue;
        marks[point] = mark;
        if (++count === SAFE) return SAFE;
      }
      stone = next[stone]!;
    } while (stone !== beside);
  }
  return count;
}

/** Whether a stone of the opponent's is captured by a move on a cell: its chain has its last liberty there. */
function isCaptured({ head, liberties }: GoState, { stride }: GoBoard, stone: number, cell: number): boolean {
  const chain = head[stone]!;
  return (
    liberties[chain] === 1 &&
    (head[cell - stride] === chain ||
      head[cell - 1] === chain ||
      head[cell + 1] === chain ||
      head[cell + stride] === chain)
  );
}
