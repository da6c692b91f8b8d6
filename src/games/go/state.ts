import { EDGE, EMPTY, type GoBoard, PASS_CELL } from "./board.ts";

/**
 * A bit of `lost` beside those of colours: superko forbids the mover this cell, by positions that the state does not hold.
 * For states that are unpacked from a few bytes; it counts at ply `barredPly` only.
 */
export const BARRED = 1;

/**
 * A position of Go, with the moves that led to it. Arrays are indexed by cell (`GoBoard`), unless something else is said.
 *
 * The stones of a chain form a ring (`next`). One of them is its head, and has the numbers of the chain: `stones` and
 * `liberties` are 0 at all other cells.
 */
export interface GoState {
  /** EMPTY, BLACK, WHITE, or EDGE outside the board. */
  readonly colour: Uint8Array;
  /** The head of the chain that a stone belongs to; 0 without a stone. */
  readonly head: Int16Array;
  /** The next stone in the ring of the chain; 0 without a stone. */
  readonly next: Int16Array;
  /** By head: the number of stones of the chain. */
  readonly stones: Int16Array;
  /** By head: the number of empty points beside the chain. */
  readonly liberties: Int16Array;
  /**
   * When the stone was placed: 1 for a stone of the first ply, 2 for the second. Stones that were set up before the game
   * have different numbers from -1 down. 0 without a stone.
   */
  readonly placed: Int32Array;
  /** The colours of which a stone has been captured here: a bit set, 1 << colour; and BARRED. */
  readonly lost: Uint8Array;
  /** The number of plies at which BARRED counts, or -1. */
  barredPly: number;
  /** By seat: how many of its stones have been captured. */
  readonly prisoners: Int32Array;
  /** The seat to move, or OVER. */
  toMove: number;
  /** The seat that moved first, or moves first. Seats alternate, and a pass is a ply. */
  first: number;
  /** Plies so far. */
  plies: number;
  /** Passes in a row that led to this position: 0, 1 or 2. */
  passes: number;
  /**
   * The cell where the mover may not take back a single stone at once (simple ko), or 0. Also set under superko, which
   * forbids it too.
   */
  ko: number;
  /** The lower and upper half of the Zobrist hash of the stones. */
  hashLow: number;
  hashHigh: number;
  readonly history: GoHistory;
}

/**
 * The plies of a game. The arrays grow when the game is longer than they are; what is behind the last ply is 0.
 */
export interface GoHistory {
  /** By ply, from 0: the cell of the move, or PASS_CELL. */
  moves: Int16Array;
  /** By ply, from 0: the end of its stones in `captured`. */
  capturedEnd: Int32Array;
  /** The cells of all captured stones in order. A suicide captures the mover's own chain; its first is the move. */
  captured: Int16Array;
  /**
   * By ply, two words each: the hash of the position before the ply, as superko compares positions; the last entry is
   * the current position.
   */
  keys: Int32Array;
}

/** The empty board, with this seat to move. */
export function newGoState(board: GoBoard, first = 0): GoState {
  const { cells, points, cellOf } = board;
  const colour = new Uint8Array(cells).fill(EDGE);
  for (let point = 0; point < points; point++) colour[cellOf[point]!] = EMPTY;
  // Few games are longer; 40 more for the smallest boards, where most points are taken several times.
  const plies = 3 * points + 40;
  return {
    colour,
    head: new Int16Array(cells),
    next: new Int16Array(cells),
    stones: new Int16Array(cells),
    liberties: new Int16Array(cells),
    placed: new Int32Array(cells),
    lost: new Uint8Array(cells),
    barredPly: -1,
    prisoners: new Int32Array(2),
    toMove: first,
    first,
    plies: 0,
    passes: 0,
    ko: 0,
    hashLow: 0,
    hashHigh: 0,
    history: {
      moves: new Int16Array(plies),
      capturedEnd: new Int32Array(plies),
      captured: new Int16Array(plies),
      keys: new Int32Array(2 * plies + 2),
    },
  };
}

/** Copies `from` over `into`. */
export function copyGoState(from: GoState, into: GoState): void {
  into.colour.set(from.colour);
  into.head.set(from.head);
  into.next.set(from.next);
  into.stones.set(from.stones);
  into.liberties.set(from.liberties);
  into.placed.set(from.placed);
  into.lost.set(from.lost);
  into.barredPly = from.barredPly;
  into.prisoners[0] = from.prisoners[0]!;
  into.prisoners[1] = from.prisoners[1]!;
  into.toMove = from.toMove;
  into.first = from.first;
  into.plies = from.plies;
  into.passes = from.passes;
  into.ko = from.ko;
  into.hashLow = from.hashLow;
  into.hashHigh = from.hashHigh;
  copyHistory(from.history, into.history);
}

/** Lengths follow, so that two equal positions are equal in every part. */
function copyHistory(from: GoHistory, into: GoHistory): void {
  if (into.moves.length === from.moves.length) {
    into.moves.set(from.moves);
    into.capturedEnd.set(from.capturedEnd);
    into.keys.set(from.keys);
  } else {
    into.moves = from.moves.slice();
    into.capturedEnd = from.capturedEnd.slice();
    into.keys = from.keys.slice();
  }
  if (into.captured.length === from.captured.length) into.captured.set(from.captured);
  else into.captured = from.captured.slice();
}

/** The seat that played a ply. */
export function moverOfPly(state: GoState, ply: number): number {
  return (state.first + ply) & 1;
}

/** The cell of the move `back` plies ago (1: the last move), PASS_CELL for a pass, or -1 before the first ply. */
export function lastMove(state: GoState, back: number): number {
  const ply = state.plies - back;
  return ply < 0 ? -1 : state.history.moves[ply]!;
}

/**
 * Takes back a ply in `colours`, a board by cell as it stood after that ply. From a copy of `colour` and the last ply
 * backwards, this gives all earlier boards.
 */
export function takeBackPly(state: GoState, ply: number, colours: Uint8Array): void {
  const { moves, captured, capturedEnd } = state.history;
  const cell = moves[ply]!;
  if (cell === PASS_CELL) return;
  const colour = moverOfPly(state, ply) + 1;
  const start = ply === 0 ? 0 : capturedEnd[ply - 1]!;
  const end = capturedEnd[ply]!;
  const taken = start < end && captured[start] === cell ? colour : 3 - colour;
  for (let i = start; i < end; i++) colours[captured[i]!] = taken;
  colours[cell] = EMPTY;
}

/** Appends a captured stone to those of the ply that is being played. */
export function recordCapture(history: GoHistory, index: number, cell: number): void {
  if (index === history.captured.length) {
    const longer = new Int16Array(2 * index);
    longer.set(history.captured);
    history.captured = longer;
  }
  history.captured[index] = cell;
}

/** Makes room for the ply with this number. */
export function growHistory(history: GoHistory, ply: number): void {
  if (ply < history.moves.length) return;
  const plies = 2 * ply;
  const moves = new Int16Array(plies);
  moves.set(history.moves);
  history.moves = moves;
  const capturedEnd = new Int32Array(plies);
  capturedEnd.set(history.capturedEnd);
  history.capturedEnd = capturedEnd;
  const keys = new Int32Array(2 * plies + 2);
  keys.set(history.keys);
  history.keys = keys;
}
