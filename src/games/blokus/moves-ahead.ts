import { bitCount } from "../bits.ts";
import { BORDER, type BlokusBoard, pieceOfOrientation, sizeOfPiece } from "./board.ts";
import { BlokusMoveSet, MOST_LEGAL } from "./legal.ts";
import { MOST_SQUARES } from "./cells.ts";
import { type CellStep, KIND_WORDS, KINDS, kindOfSize, NodeSets, SET_WORDS } from "./node-sets.ts";
import { blokusOrientations } from "./pieces.ts";
import { windowLower, windowUpper } from "./point-tree.ts";
import type { BlokusState } from "./state.ts";

/** Cells in a row, with those around the board: the cell [x, y] has the number (y + 1) * ROW + x + 1. */
const ROW = 16;
const CELLS = ROW * ROW;
/** The largest board with these numbers. */
const LARGEST = ROW - 2;
/** Words of all legal moves of a seat: each kind of pieces begins a word of its own. */
const MOST_WORDS = MOST_LEGAL / 32 + KINDS;

/**
 * Counts the legal moves of both seats after each legal move of a position, from what all these moves have in common:
 *
 * - the opponent loses the moves that cover a square of the new piece;
 * - the mover loses the moves with the same piece, and those that cover a square of the new piece or a cell beside it;
 * - the mover gains the placements that cover a corner cell of the new piece, and no attach point that it had before.
 */
export class MovesAhead {
  /** By kind of pieces: the moves of the mover after the move that was counted last, and of its opponent. */
  readonly mover = new Int32Array(KINDS);
  readonly opponent = new Int32Array(KINDS);
  readonly #board: BlokusBoard;
  readonly #moves: BlokusMoveSet;
  readonly #sets = new NodeSets();
  readonly #corners = stepsTo(this.#sets.corners);
  readonly #own: MoveBits;
  readonly #their: MoveBits;
  readonly #legal = new Int32Array(MOST_LEGAL);
  /** By row: the cells that the mover may not cover, and its attach points. */
  readonly #blocked: Int32Array;
  /** The nodes that lay a piece of the mover. */
  #nodes: Int32Array = new Int32Array(SET_WORDS);
  /** By cell, `SET_WORDS` words each: the nodes that would be legal if the cell became an attach point. */
  readonly #free = new Int32Array(CELLS * SET_WORDS);
  /** By cell: whether `#free` has its nodes, or the cell can become no attach point. */
  readonly #state = new Uint8Array(CELLS);

  constructor(board: BlokusBoard) {
    if (board.players !== 2 || board.size > LARGEST)
      throw new RangeError(`moves are counted ahead for two seats on up to ${LARGEST}x${LARGEST} cells`);
    this.#board = board;
    this.#moves = new BlokusMoveSet(board);
    this.#own = new MoveBits(board, stepsTo(this.#sets.closed));
    this.#their = new MoveBits(board, stepsTo(blokusOrientations.map(({ cells }) => cells)));
    this.#blocked = new Int32Array(board.rows);
  }

  /** Begins with a position and the legal moves of its mover. */
  from(state: BlokusState, actions: Int32Array, count: number): void {
    const { toMove, forbidden, corners, left } = state;
    const { players, rows, size } = this.#board;
    this.#own.set(actions, count);
    this.#their.set(this.#legal, this.#moves.list(state, 1 - toMove, this.#legal));
    this.#nodes = this.#sets.laying(left[toMove]!);
    const blocked = this.#blocked;
    for (let row = 0, at = toMove; row < rows; row++, at += players)
      blocked[row] = forbidden[at]! | corners[at]!;
    this.#state.fill(CLOSED);
    for (let row = BORDER; row < BORDER + size; row++)
      for (let open = ~blocked[row]!; open !== 0; open &= open - 1)
        this.#state[(row - BORDER + 1) * ROW + 32 - Math.clz32(open & -open) - BORDER] = UNKNOWN;
  }

  /** Counts the moves of both after a legal move of the mover. */
  count(action: number): void {
    const placement = this.#board.placements[action]!;
    const orientation = placement >> 16;
    const cell = cellOf(placement);
    this.#their.countWithout(orientation, cell, -1, this.opponent);
    this.#own.countWithout(orientation, cell, pieceOfOrientation[orientation]!, this.mover);
    this.#addOpened(orientation, cell);
  }

  /** Adds the mover's moves through the corner cells of the new piece. */
  #addOpened(orientation: number, cell: number): void {
    const { steps, first } = this.#corners;
    const { opened, firstOpened } = this.#sets;
    const free = this.#free;
    let set = firstOpened[orientation]!;
    let five = 0;
    let four = 0;
    let small = 0;
    for (let i = first[orientation]!; i < first[orientation + 1]!; i++, set += SET_WORDS) {
      const point = cell + steps[i]!;
      if (this.#state[point] === CLOSED) continue;
      if (this.#state[point] === UNKNOWN) this.#findFree(point);
      const nodes = point * SET_WORDS;
      for (let word = 0; word < KIND_WORDS[1]; word++)
        five += bitCount(free[nodes + word]! & opened[set + word]!);
      for (let word = KIND_WORDS[1]; word < KIND_WORDS[2]; word++)
        four += bitCount(free[nodes + word]! & opened[set + word]!);
      small += bitCount(free[nodes + KIND_WORDS[2]]! & opened[set + KIND_WORDS[2]]!);
    }
    const { mover } = this;
    mover[0] = mover[0]! + five;
    mover[1] = mover[1]! + four;
    mover[2] = mover[2]! + small;
  }

  #findFree(point: number): void {
    const row = (point >> 4) - 1 + BORDER;
    const x = (point & 15) - 1;
    const upper = windowUpper(this.#blocked, row, 1, x);
    const lower = windowLower(this.#blocked, row, 1, x);
    this.#sets.writeFree(upper, lower, this.#nodes, this.#free, point * SET_WORDS);
    this.#state[point] = KNOWN;
  }
}

/** What `MovesAhead` knows of a cell: it can become no attach point; its nodes have not been found yet; they have. */
const CLOSED = 0;
const UNKNOWN = 1;
const KNOWN = 2;

/** Cells by orientation, as steps from the number of the top left cell of the bounding box; `first` has one entry more. */
interface Steps {
  readonly steps: Int32Array;
  readonly first: Int32Array;
}

function stepsTo(cells: readonly (readonly CellStep[])[]): Steps {
  const first = new Int32Array(cells.length + 1);
  for (const [orientation, each] of cells.entries())
    first[orientation + 1] = first[orientation]! + each.length;
  return { first, steps: Int32Array.from(cells.flat(), ([x, y]) => y * ROW + x) };
}

/** By orientation: its squares in this way, always five; smaller pieces have a square several times. */
const fiveSquares = Int32Array.from(
  blokusOrientations.flatMap(({ cells }) =>
    Array.from({ length: MOST_SQUARES }, (_, i) => cells[i % cells.length]!),
  ),
  ([x, y]) => y * ROW + x,
);

/** The number of the top left cell of a placement. */
function cellOf(placement: number): number {
  return (((placement >> 8) & 255) + 1) * ROW + (placement & 255) + 1;
}

/** The legal moves of one seat, as bits. Each kind of pieces has words of its own. */
class MoveBits {
  readonly #board: BlokusBoard;
  /** By orientation: the cells of which it may lose none. */
  readonly #needed: Steps;
  /** By kind: where its words begin; and the end. */
  readonly #words = new Int32Array(KINDS + 1);
  /** By kind: the number of moves. */
  readonly #counts = new Int32Array(KINDS);
  /** By cell, as many words as there are: the moves that a square on it takes away. */
  readonly #taken = new Int32Array(CELLS * MOST_WORDS);
  /** By piece, as many words as there are: the moves that lay it; and a last set that is empty. */
  readonly #laying = new Int32Array((sizeOfPiece.length + 1) * MOST_WORDS);

  constructor(board: BlokusBoard, needed: Steps) {
    this.#board = board;
    this.#needed = needed;
  }

  /** Takes legal actions, in increasing order. */
  set(actions: Int32Array, count: number): void {
    const { placements } = this.#board;
    const { steps, first } = this.#needed;
    const words = this.#words;
    const counts = this.#counts;
    counts.fill(0);
    for (let i = 0; i < count; i++) {
      const kind = kindOfSize(sizeOfPiece[pieceOfOrientation[placements[actions[i]!]! >> 16]!]!);
      counts[kind] = counts[kind]! + 1;
    }
    for (let kind = 0; kind < KINDS; kind++) words[kind + 1] = words[kind]! + ((counts[kind]! + 31) >> 5);
    const length = words[KINDS]!;
    this.#taken.fill(0, 0, CELLS * length);
    this.#laying.fill(0, 0, (sizeOfPiece.length + 1) * length);
    for (let i = 0, kind = 0, before = 0; i < count; i++) {
      // Larger pieces have lower actions.
      for (; i - before === counts[kind]!; kind++) before += counts[kind]!;
      const placement = placements[actions[i]!]!;
      const orientation = placement >> 16;
      const word = words[kind]! + ((i - before) >> 5);
      const bit = 1 << ((i - before) & 31);
      const cell = cellOf(placement);
      for (let square = first[orientation]!; square < first[orientation + 1]!; square++) {
        const at = (cell + steps[square]!) * length + word;
        this.#taken[at] = this.#taken[at]! | bit;
      }
      const at = pieceOfOrientation[orientation]! * length + word;
      this.#laying[at] = this.#laying[at]! | bit;
    }
  }

  /** Writes by kind the number of moves that this orientation does not take away at this cell and that do not lay the piece. */
  countWithout(orientation: number, cell: number, piece: number, out: Int32Array): void {
    const words = this.#words;
    const length = words[KINDS]!;
    const taken = this.#taken;
    const laying = this.#laying;
    const at = MOST_SQUARES * orientation;
    const a = (cell + fiveSquares[at]!) * length;
    const b = (cell + fiveSquares[at + 1]!) * length;
    const c = (cell + fiveSquares[at + 2]!) * length;
    const d = (cell + fiveSquares[at + 3]!) * length;
    const e = (cell + fiveSquares[at + 4]!) * length;
    const laid = (piece < 0 ? sizeOfPiece.length : piece) * length;
    for (let kind = 0, word = 0; kind < KINDS; kind++) {
      let lost = 0;
      for (const end = words[kind + 1]!; word < end; word++)
        lost += bitCount(
          laying[laid + word]! |
            taken[a + word]! |
            taken[b + word]! |
            taken[c + word]! |
            taken[d + word]! |
            taken[e + word]!,
        );
      out[kind] = this.#counts[kind]! - lost;
    }
  }
}
