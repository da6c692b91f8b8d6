import { EMPTY, EDGE, type GoBoard, MOST_CELLS, neighbour } from "./board.ts";
import { type GoState, recordCapture } from "./state.ts";

/** Marks of cells that a walk has visited: those with the present stamp. */
const marks = new Int32Array(MOST_CELLS);
let stamp = 0;

function newStamp(): number {
  if (++stamp === 0x7fffffff) {
    marks.fill(0);
    stamp = 1;
  }
  return stamp;
}

/** The heads of the chains beside a stone that is being placed: the other colour's, and the same colour's. */
const enemies = new Int16Array(4);
const friends = new Int16Array(4);

/**
 * Puts a stone on an empty cell. Chains of the other colour that are left without a liberty are captured; if the stone's
 * own chain then has none, it is captured itself. `placed` is what the state shall hold for the stone. Captured stones
 * are appended to the history from index `from` on; returns the new end.
 *
 * Every choice here (the head of a chain, the order of its ring and of captures) depends on when stones were placed and
 * on sizes of chains alone, never on directions. So images of a game under symmetries have images of its states.
 */
export function placeStone(
  state: GoState,
  board: GoBoard,
  cell: number,
  colour: number,
  placed: number,
  from: number,
): number {
  const { head, next, stones, liberties } = state;
  const { stride } = board;
  let end = from;
  state.colour[cell] = colour;
  state.placed[cell] = placed;
  toggle(state, board, cell, colour);
  head[cell] = cell;
  next[cell] = cell;
  stones[cell] = 1;

  let hostile = 0;
  let friendly = 0;
  let free = 0;
  for (let side = 0; side < 4; side++) {
    const beside = neighbour(cell, side, stride);
    const other = state.colour[beside]!;
    if (other === EMPTY) free++;
    else if (other === colour) friendly = insert(state, friends, friendly, head[beside]!);
    else if (other !== EDGE) hostile = insert(state, enemies, hostile, head[beside]!);
  }
  liberties[cell] = free;

  for (let i = 0; i < hostile; i++) {
    const chain = enemies[i]!;
    if (--liberties[chain]! === 0) end = capture(state, board, chain, end);
  }
  if (friendly > 0) join(state, board, cell, friendly);
  const own = state.head[cell]!;
  if (liberties[own] === 0) {
    // The move comes first, which distinguishes a suicide from other captures.
    recordCapture(state.history, end, cell);
    return capture(state, board, own, end + 1, cell);
  }
  return end;
}

/** Adds a head to a list without repetitions, older heads first; returns the list's new length. */
function insert(state: GoState, heads: Int16Array, length: number, chain: number): number {
  const { placed } = state;
  for (let i = 0; i < length; i++) if (heads[i] === chain) return length;
  let at = length;
  const age = placed[chain]!;
  while (at > 0 && placed[heads[at - 1]!]! > age) {
    heads[at] = heads[at - 1]!;
    at--;
  }
  heads[at] = chain;
  return length + 1;
}

/** Joins the new stone with the chains in `friends`, which still count its cell as a liberty. */
function join(state: GoState, board: GoBoard, cell: number, friendly: number): void {
  const { head, next, stones, liberties } = state;
  let largest = friends[0]!;
  for (let i = 1; i < friendly; i++) if (stones[friends[i]!]! > stones[largest]!) largest = friends[i]!;
  const mark = newStamp();
  let count = liberties[largest]! - 1;
  let size = stones[largest]!;
  for (let i = -1; i < friendly; i++) {
    const chain = i < 0 ? cell : friends[i]!;
    if (chain === largest) continue;
    // New liberties are those that the largest chain has not, each counted once.
    let stone = chain;
    do {
      count += freshLiberties(state, board, stone, largest, mark);
      stone = next[stone]!;
    } while (stone !== chain);
    do {
      head[stone] = largest;
      stone = next[stone]!;
    } while (stone !== chain);
    size += stones[chain]!;
    stones[chain] = 0;
    liberties[chain] = 0;
    const after = next[largest]!;
    next[largest] = next[chain]!;
    next[chain] = after;
  }
  stones[largest] = size;
  liberties[largest] = count;
}

/** The empty neighbours of a stone that are not marked and not beside the chain; marks them. */
function freshLiberties(state: GoState, board: GoBoard, stone: number, chain: number, mark: number): number {
  const { colour, head } = state;
  const { stride } = board;
  let count = 0;
  for (let side = 0; side < 4; side++) {
    const cell = neighbour(stone, side, stride);
    if (colour[cell] !== EMPTY || marks[cell] === mark) continue;
    marks[cell] = mark;
    if (
      head[cell - stride] !== chain &&
      head[cell - 1] !== chain &&
      head[cell + 1] !== chain &&
      head[cell + stride] !== chain
    )
      count++;
  }
  return count;
}

/**
 * Removes a chain, and records its stones from index `from` on, except for the stone `recorded`; returns the new end.
 */
function capture(state: GoState, board: GoBoard, chain: number, from: number, recorded = 0): number {
  const { colour, head, next, placed, lost } = state;
  const colourOfChain = colour[chain]!;
  let end = from;
  let stone = chain;
  state.prisoners[colourOfChain - 1]! += state.stones[chain]!;
  do {
    const following = next[stone]!;
    colour[stone] = EMPTY;
    head[stone] = 0;
    next[stone] = 0;
    placed[stone] = 0;
    lost[stone]! |= 1 << colourOfChain;
    toggle(state, board, stone, colourOfChain);
    if (stone !== recorded) recordCapture(state.history, end++, stone);
    addLiberty(state, board, stone, 3 - colourOfChain);
    stone = following;
  } while (stone !== chain);
  state.stones[chain] = 0;
  state.liberties[chain] = 0;
  return end;
}

/** An emptied cell is a liberty of every chain of this colour beside it. */
function addLiberty(
  { colour, head, liberties }: GoState,
  { stride }: GoBoard,
  cell: number,
  of: number,
): void {
  const a = colour[cell - stride] === of ? head[cell - stride]! : 0;
  const b = colour[cell - 1] === of ? head[cell - 1]! : 0;
  const c = colour[cell + 1] === of ? head[cell + 1]! : 0;
  const d = colour[cell + stride] === of ? head[cell + stride]! : 0;
  if (a !== 0) liberties[a]!++;
  if (b !== 0 && b !== a) liberties[b]!++;
  if (c !== 0 && c !== a && c !== b) liberties[c]!++;
  if (d !== 0 && d !== a && d !== b && d !== c) liberties[d]!++;
}

/** Puts a stone into the hash, or takes it out. */
function toggle(state: GoState, { zobrist }: GoBoard, cell: number, colour: number): void {
  const word = 4 * cell + 2 * colour - 2;
  state.hashLow ^= zobrist[word]!;
  state.hashHigh ^= zobrist[word + 1]!;
}

/** Writes the stones of the chain that a stone belongs to; returns their number. */
export function chainStones(state: GoState, stone: number, out: Int16Array): number {
  const { next } = state;
  let count = 0;
  let each = stone;
  do {
    out[count++] = each;
    each = next[each]!;
  } while (each !== stone);
  return count;
}

/** Writes the liberties of the chain that a stone belongs to, each once; returns their number. */
export function chainLiberties(state: GoState, board: GoBoard, stone: number, out: Int16Array): number {
  const { colour, next } = state;
  const { stride } = board;
  const mark = newStamp();
  // With this number all are found.
  const all = state.liberties[state.head[stone]!]!;
  let count = 0;
  let each = stone;
  do {
    for (let side = 0; side < 4; side++) {
      const cell = neighbour(each, side, stride);
      if (colour[cell] !== EMPTY || marks[cell] === mark) continue;
      marks[cell] = mark;
      out[count++] = cell;
    }
    each = next[each]!;
  } while (count < all && each !== stone);
  return count;
}
