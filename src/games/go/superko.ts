import { EMPTY, type GoBoard, neighbour } from "./board.ts";
import type { GoRules } from "./options.ts";
import { BARRED, type GoState } from "./state.ts";

/** What the hash of a board is combined with if White is to move and superko distinguishes the movers. */
const WHITE_MOVES_LOW = 0x3c6ef372;
const WHITE_MOVES_HIGH = 0x14057b7e;

/** Writes the hash that superko compares for the current position, as that before ply `plies`. */
export function recordKey(state: GoState, { superko }: GoRules, seat: number): void {
  const { keys } = state.history;
  const whiteMoves = superko === "situational" && seat === 1;
  keys[2 * state.plies] = whiteMoves ? state.hashLow ^ WHITE_MOVES_LOW : state.hashLow;
  keys[2 * state.plies + 1] = whiteMoves ? state.hashHigh ^ WHITE_MOVES_HIGH : state.hashHigh;
}

/**
 * Whether a stone of the mover on this empty cell would repeat an earlier position, which superko forbids. Boards are
 * compared by hashes of 64 bits.
 *
 * A repeated board has the stone on this cell. So it can only be repeated if a stone of that colour has been captured
 * on this cell before, except by a suicide, which leaves no stone there.
 */
export function repeats(state: GoState, rules: GoRules, cell: number): boolean {
  const colour = state.toMove + 1;
  const { board } = rules;
  if ((state.lost[cell]! & BARRED) !== 0 && state.plies === state.barredPly) return true;
  if (((state.lost[cell]! >> colour) & 1) === 0 && !(rules.suicide && isSuicide(state, board, cell)))
    return false;
  hashAfter(state, board, cell, colour);
  let low = lowAfter;
  let high = highAfter;
  if (rules.superko === "situational" && colour === 1) {
    low ^= WHITE_MOVES_LOW;
    high ^= WHITE_MOVES_HIGH;
  }
  const { keys } = state.history;
  for (let at = 2 * state.plies; at >= 0; at -= 2) if (keys[at] === low && keys[at + 1] === high) return true;
  return false;
}

/** The board's hash after a move: what `hashAfter` found. */
let lowAfter = 0;
let highAfter = 0;

/** Finds the board's hash after a move, captures and suicide included. */
function hashAfter(state: GoState, board: GoBoard, cell: number, colour: number): void {
  lowAfter = state.hashLow;
  highAfter = state.hashHigh;
  const captures = toggleCaptured(state, board, cell, 3 - colour);
  if (captures || !isSuicide(state, board, cell)) toggleStone(board, cell, colour);
  else toggleOwn(state, board, cell, colour);
}

/** Takes the chains of a colour out of the hash whose last liberty is this cell; returns whether there are any. */
function toggleCaptured(state: GoState, board: GoBoard, cell: number, colour: number): boolean {
  let any = false;
  for (let side = 0; side < 4; side++) {
    const chain = chainBeside(state, board, cell, side, colour);
    if (chain === 0 || state.liberties[chain] !== 1) continue;
    toggleChain(state, board, chain, colour);
    any = true;
  }
  return any;
}

/** Takes the mover's chains beside a suicide out of the hash; the stone itself never gets in. */
function toggleOwn(state: GoState, board: GoBoard, cell: number, colour: number): void {
  for (let side = 0; side < 4; side++) {
    const chain = chainBeside(state, board, cell, side, colour);
    if (chain !== 0) toggleChain(state, board, chain, colour);
  }
}

/** The head of the chain of this colour on a side of a cell, or 0; a chain on several sides is named at the first only. */
function chainBeside(state: GoState, board: GoBoard, cell: number, side: number, colour: number): number {
  const beside = neighbour(cell, side, board.stride);
  if (state.colour[beside] !== colour) return 0;
  const chain = state.head[beside]!;
  for (let earlier = 0; earlier < side; earlier++)
    if (state.head[neighbour(cell, earlier, board.stride)] === chain) return 0;
  return chain;
}

function toggleChain(state: GoState, board: GoBoard, chain: number, colour: number): void {
  let stone = chain;
  do {
    toggleStone(board, stone, colour);
    stone = state.next[stone]!;
  } while (stone !== chain);
}

function toggleStone({ zobrist }: GoBoard, cell: number, colour: number): void {
  const word = 4 * cell + 2 * colour - 2;
  lowAfter ^= zobrist[word]!;
  highAfter ^= zobrist[word + 1]!;
}

/** Whether a stone of the mover on this empty cell would have no liberty and capture nothing. */
export function isSuicide(state: GoState, { stride }: GoBoard, cell: number): boolean {
  return (
    blocks(state, cell - stride) &&
    blocks(state, cell - 1) &&
    blocks(state, cell + 1) &&
    blocks(state, cell + stride)
  );
}

/**
 * Whether a neighbouring cell gives no liberty to a stone that is placed beside it: the edge, a chain of the mover
 * without another liberty, or one of the opponent with another.
 */
function blocks({ colour, head, liberties, toMove }: GoState, beside: number): boolean {
  const there = colour[beside]!;
  if (there === EMPTY) return false;
  if (there === 3) return true;
  const last = liberties[head[beside]!] === 1;
  return there === toMove + 1 ? last : !last;
}
