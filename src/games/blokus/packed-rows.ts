import { bitCount } from "../bits.ts";
import {
  besideRows,
  BORDER,
  type BlokusBoard,
  cornerRows,
  heightOfOrientation,
  SHAPE_ROWS,
  shapeRows,
} from "./board.ts";

/**
 * Sets of cells with two rows a word: row y is in word y >> 1, in its upper half if y is odd; column x is bit x of the half.
 * The two bits that each half has left over keep the rows apart. A set spreads over the board in half as many steps as
 * with a row a word.
 *
 * The seven words are written out in the functions that spread sets, because they are most of what features ahead cost: with
 * loops over arrays all features of a position took 1.2 times as long.
 */

/** Words of a set of cells. */
export const PACKED = 7;
/** Rows and columns of the largest board. */
const LARGEST = 2 * PACKED;

/** By action, three sets each: the squares of its placement, the squares and the cells beside them, the corner cells. */
export function packedPlacements({ placements, size }: BlokusBoard): Int32Array {
  if (size > LARGEST) throw new RangeError(`rows are packed on up to ${LARGEST}x${LARGEST} cells`);
  const inside = (1 << size) - 1;
  const sets = new Int32Array(3 * PACKED * placements.length);
  for (const [action, placement] of placements.entries()) {
    const shape = (placement >> 16) * SHAPE_ROWS;
    const [x, y] = [placement & 255, (placement >> 8) & 255];
    for (let row = 0; row < heightOfOrientation[placement >> 16]! + 2; row++) {
      const to = y + row - 1;
      if (to < 0 || to >= size) continue;
      const packed = (bits: number) => (((bits << x) >> 1) & inside) << (16 * (to & 1));
      const at = 3 * PACKED * action + (to >> 1);
      const squares = packed(shapeRows[shape + row]!);
      sets[at]! |= squares;
      sets[at + PACKED]! |= squares | packed(besideRows[shape + row]!);
      sets[at + 2 * PACKED]! |= packed(cornerRows[shape + row]!);
    }
  }
  return sets;
}

/** Packs a seat's bit rows, as `BlokusState` has them, or the cells of the board that are not in them. */
export function packRows(
  rows: Int32Array,
  seat: number,
  { players, size }: BlokusBoard,
  others: boolean,
  out: Int32Array,
): void {
  const inside = (1 << size) - 1;
  out.fill(0);
  for (let y = 0; y < size; y++) {
    const row = ((rows[(y + BORDER) * players + seat]! ^ (others ? -1 : 0)) >>> BORDER) & inside;
    out[y >> 1] = out[y >> 1]! | (row << (16 * (y & 1)));
  }
}

/** The number of cells of a set. */
export function countPacked(cells: Int32Array): number {
  return count(cells[0]!, cells[1]!, cells[2]!, cells[3]!, cells[4]!, cells[5]!, cells[6]!);
}

/** The number of bits of seven words: added bit by bit into words of ones, of twos and of fours, so that only three are counted. */
function count(w0: number, w1: number, w2: number, w3: number, w4: number, w5: number, w6: number): number {
  const a = w0 ^ w1;
  const b = w3 ^ w4;
  const sumA = a ^ w2;
  const sumB = b ^ w5;
  const carryA = (w0 & w1) | (a & w2);
  const carryB = (w3 & w4) | (b & w5);
  const c = sumA ^ sumB;
  const carryC = (sumA & sumB) | (c & w6);
  const d = carryA ^ carryB;
  const ones = c ^ w6;
  const twos = d ^ carryC;
  const fours = (carryA & carryB) | (d & carryC);
  return bitCount(ones) + 2 * bitCount(twos) + 4 * bitCount(fours);
}

/** Adds this many times the neighbours from edge to edge that are free; writes what is reached to `out`. */
export function spreadByEdges(from: Int32Array, free: Int32Array, steps: number, out: Int32Array): void {
  let c0 = from[0]!;
  let c1 = from[1]!;
  let c2 = from[2]!;
  let c3 = from[3]!;
  let c4 = from[4]!;
  let c5 = from[5]!;
  let c6 = from[6]!;
  const f0 = free[0]!;
  const f1 = free[1]!;
  const f2 = free[2]!;
  const f3 = free[3]!;
  const f4 = free[4]!;
  const f5 = free[5]!;
  const f6 = free[6]!;
  for (let step = 0; step < steps; step++) {
    const n0 = (c0 | (c0 << 1) | (c0 >>> 1) | (c0 << 16) | (c0 >>> 16) | (c1 << 16)) & f0;
    const n1 = (c1 | (c1 << 1) | (c1 >>> 1) | (c1 << 16) | (c1 >>> 16) | (c0 >>> 16) | (c2 << 16)) & f1;
    const n2 = (c2 | (c2 << 1) | (c2 >>> 1) | (c2 << 16) | (c2 >>> 16) | (c1 >>> 16) | (c3 << 16)) & f2;
    const n3 = (c3 | (c3 << 1) | (c3 >>> 1) | (c3 << 16) | (c3 >>> 16) | (c2 >>> 16) | (c4 << 16)) & f3;
    const n4 = (c4 | (c4 << 1) | (c4 >>> 1) | (c4 << 16) | (c4 >>> 16) | (c3 >>> 16) | (c5 << 16)) & f4;
    const n5 = (c5 | (c5 << 1) | (c5 >>> 1) | (c5 << 16) | (c5 >>> 16) | (c4 >>> 16) | (c6 << 16)) & f5;
    const n6 = (c6 | (c6 << 1) | (c6 >>> 1) | (c6 << 16) | (c6 >>> 16) | (c5 >>> 16)) & f6;
    c0 = n0;
    c1 = n1;
    c2 = n2;
    c3 = n3;
    c4 = n4;
    c5 = n5;
    c6 = n6;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
  out[4] = c4;
  out[5] = c5;
  out[6] = c6;
}

/**
 * Spreads two sets by king's steps over the cells that are free to each, both one step at a time, until nothing is added.
 * Writes to `out` the number of cells that the first reaches before the second, those that the second reaches before the
 * first, those that only the first reaches, and those that only the second reaches.
 */
export function racePacked(
  own: Int32Array,
  their: Int32Array,
  ownFree: Int32Array,
  theirFree: Int32Array,
  out: Int32Array,
): void {
  let o0 = own[0]!;
  let o1 = own[1]!;
  let o2 = own[2]!;
  let o3 = own[3]!;
  let o4 = own[4]!;
  let o5 = own[5]!;
  let o6 = own[6]!;
  let t0 = their[0]!;
  let t1 = their[1]!;
  let t2 = their[2]!;
  let t3 = their[3]!;
  let t4 = their[4]!;
  let t5 = their[5]!;
  let t6 = their[6]!;
  const f0 = ownFree[0]!;
  const f1 = ownFree[1]!;
  const f2 = ownFree[2]!;
  const f3 = ownFree[3]!;
  const f4 = ownFree[4]!;
  const f5 = ownFree[5]!;
  const f6 = ownFree[6]!;
  const g0 = theirFree[0]!;
  const g1 = theirFree[1]!;
  const g2 = theirFree[2]!;
  const g3 = theirFree[3]!;
  const g4 = theirFree[4]!;
  const g5 = theirFree[5]!;
  const g6 = theirFree[6]!;
  // The cells that were reached by one of them alone when they were first reached.
  let a0 = o0 & ~t0;
  let a1 = o1 & ~t1;
  let a2 = o2 & ~t2;
  let a3 = o3 & ~t3;
  let a4 = o4 & ~t4;
  let a5 = o5 & ~t5;
  let a6 = o6 & ~t6;
  let b0 = t0 & ~o0;
  let b1 = t1 & ~o1;
  let b2 = t2 & ~o2;
  let b3 = t3 & ~o3;
  let b4 = t4 & ~o4;
  let b5 = t5 & ~o5;
  let b6 = t6 & ~o6;
  for (let added = 1; added !== 0;) {
    added = 0;
    const h0 = o0 | (o0 << 1) | (o0 >>> 1);
    const h1 = o1 | (o1 << 1) | (o1 >>> 1);
    const h2 = o2 | (o2 << 1) | (o2 >>> 1);
    const h3 = o3 | (o3 << 1) | (o3 >>> 1);
    const h4 = o4 | (o4 << 1) | (o4 >>> 1);
    const h5 = o5 | (o5 << 1) | (o5 >>> 1);
    const h6 = o6 | (o6 << 1) | (o6 >>> 1);
    const k0 = t0 | (t0 << 1) | (t0 >>> 1);
    const k1 = t1 | (t1 << 1) | (t1 >>> 1);
    const k2 = t2 | (t2 << 1) | (t2 >>> 1);
    const k3 = t3 | (t3 << 1) | (t3 >>> 1);
    const k4 = t4 | (t4 << 1) | (t4 >>> 1);
    const k5 = t5 | (t5 << 1) | (t5 >>> 1);
    const k6 = t6 | (t6 << 1) | (t6 >>> 1);
    const n0 = (h0 | (h0 << 16) | (h0 >>> 16) | (h1 << 16)) & f0;
    const m0 = (k0 | (k0 << 16) | (k0 >>> 16) | (k1 << 16)) & g0;
    const d0 = (n0 ^ m0) & ~(o0 | t0);
    a0 |= d0 & n0;
    b0 |= d0 & m0;
    added |= (n0 ^ o0) | (m0 ^ t0);
    const n1 = (h1 | (h1 << 16) | (h1 >>> 16) | (h0 >>> 16) | (h2 << 16)) & f1;
    const m1 = (k1 | (k1 << 16) | (k1 >>> 16) | (k0 >>> 16) | (k2 << 16)) & g1;
    const d1 = (n1 ^ m1) & ~(o1 | t1);
    a1 |= d1 & n1;
    b1 |= d1 & m1;
    added |= (n1 ^ o1) | (m1 ^ t1);
    const n2 = (h2 | (h2 << 16) | (h2 >>> 16) | (h1 >>> 16) | (h3 << 16)) & f2;
    const m2 = (k2 | (k2 << 16) | (k2 >>> 16) | (k1 >>> 16) | (k3 << 16)) & g2;
    const d2 = (n2 ^ m2) & ~(o2 | t2);
    a2 |= d2 & n2;
    b2 |= d2 & m2;
    added |= (n2 ^ o2) | (m2 ^ t2);
    const n3 = (h3 | (h3 << 16) | (h3 >>> 16) | (h2 >>> 16) | (h4 << 16)) & f3;
    const m3 = (k3 | (k3 << 16) | (k3 >>> 16) | (k2 >>> 16) | (k4 << 16)) & g3;
    const d3 = (n3 ^ m3) & ~(o3 | t3);
    a3 |= d3 & n3;
    b3 |= d3 & m3;
    added |= (n3 ^ o3) | (m3 ^ t3);
    const n4 = (h4 | (h4 << 16) | (h4 >>> 16) | (h3 >>> 16) | (h5 << 16)) & f4;
    const m4 = (k4 | (k4 << 16) | (k4 >>> 16) | (k3 >>> 16) | (k5 << 16)) & g4;
    const d4 = (n4 ^ m4) & ~(o4 | t4);
    a4 |= d4 & n4;
    b4 |= d4 & m4;
    added |= (n4 ^ o4) | (m4 ^ t4);
    const n5 = (h5 | (h5 << 16) | (h5 >>> 16) | (h4 >>> 16) | (h6 << 16)) & f5;
    const m5 = (k5 | (k5 << 16) | (k5 >>> 16) | (k4 >>> 16) | (k6 << 16)) & g5;
    const d5 = (n5 ^ m5) & ~(o5 | t5);
    a5 |= d5 & n5;
    b5 |= d5 & m5;
    added |= (n5 ^ o5) | (m5 ^ t5);
    const n6 = (h6 | (h6 << 16) | (h6 >>> 16) | (h5 >>> 16)) & f6;
    const m6 = (k6 | (k6 << 16) | (k6 >>> 16) | (k5 >>> 16)) & g6;
    const d6 = (n6 ^ m6) & ~(o6 | t6);
    a6 |= d6 & n6;
    b6 |= d6 & m6;
    added |= (n6 ^ o6) | (m6 ^ t6);
    o0 = n0;
    o1 = n1;
    o2 = n2;
    o3 = n3;
    o4 = n4;
    o5 = n5;
    o6 = n6;
    t0 = m0;
    t1 = m1;
    t2 = m2;
    t3 = m3;
    t4 = m4;
    t5 = m5;
    t6 = m6;
  }
  out[0] = count(a0, a1, a2, a3, a4, a5, a6);
  out[1] = count(b0, b1, b2, b3, b4, b5, b6);
  out[2] = count(o0 & ~t0, o1 & ~t1, o2 & ~t2, o3 & ~t3, o4 & ~t4, o5 & ~t5, o6 & ~t6);
  out[3] = count(t0 & ~o0, t1 & ~o1, t2 & ~o2, t3 & ~o3, t4 & ~o4, t5 & ~o5, t6 & ~o6);
}
