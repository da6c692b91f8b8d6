/**
 * Patterns of 3x3 points around an empty point: the colour of each of its eight neighbours, as the mover sees it, and for a
 * stone the number of liberties of its chain, 1, 2, or 3 and more (Silver et al. 2016, extended data table 4:
 * "non-response patterns"). Patterns that one of the eight symmetries takes into each other have one number.
 *
 * A ring is the code of eight neighbours, 3 bits each: clockwise from the top left in bits 0-2, the left one in bits 21-23.
 * Places with an odd number are beside the point, those with an even number are at its corners.
 */

/** What is on a neighbour: nothing, */
export const CLEAR = 0;
/** a stone of the mover, where `OWN + n` is one with n liberties, 3 for more; */
export const OWN = 0;
/** one of the opponent, likewise; */
export const OPPONENT = 3;
/** or it is outside the board. */
export const OUTSIDE = 7;

/** Neighbours of a point. */
const RING = 8;
const BITS = 3;
const HALF = 4 * BITS;
const HALVES = 1 << HALF;
const RINGS = 2 ** (RING * BITS) - 1;

/** All patterns that a position can have. */
export interface Patterns {
  /** How many there are; patterns are 0 .. count - 1. */
  readonly count: number;
  /** By pattern: the least ring that has it. */
  readonly rings: Int32Array;
  /** By pattern: 1 if a move there is neither a suicide nor in an own eye, else 0. Ko may still forbid it. */
  readonly playable: Uint8Array;
  /** By half a ring (12 bits): its row in `numbers`; -1 for one that no position has. */
  readonly rows: Int16Array;
  /** The same when the two colours change places. */
  readonly swapped: Int16Array;
  readonly width: number;
  /** The pattern of a ring: at (row of its lower half) * width + (row of its upper half). */
  readonly numbers: Uint16Array;
}

let known: Patterns | undefined;

/** The patterns; the first call makes the tables, which takes some tens of milliseconds. */
export function patterns(): Patterns {
  return (known ??= makePatterns());
}

/** The pattern of a ring that a position has. */
export function patternOf(ring: number): number {
  const { rows, width, numbers } = patterns();
  return numbers[rows[ring & (HALVES - 1)]! * width + rows[ring >> HALF]!]!;
}

/** What a ring has at a place. */
function classAt(ring: number, place: number): number {
  return (ring >> (BITS * (place & (RING - 1)))) & 7;
}

/** The three rows of a ring as text: `.` clear, `x2` and `o2` stones of mover and opponent, `#` outside, `*` the point. */
export function ringText(ring: number): string {
  const at = (place: number) => ".|x1|x2|x3|o1|o2|o3|#".split("|")[classAt(ring, place)]!;
  return `${at(0)} ${at(1)} ${at(2)} / ${at(7)} * ${at(3)} / ${at(6)} ${at(5)} ${at(4)}`;
}

/**
 * Whether a move in the middle of a ring leaves the mover's chain a liberty: one of the neighbours beside the point is clear,
 * an opponent's chain that is captured, or an own chain with another liberty.
 */
function leavesLiberty(ring: number): boolean {
  for (let place = 1; place < RING; place += 2) {
    const there = classAt(ring, place);
    if (there === CLEAR || there === OPPONENT + 1 || there === OWN + 2 || there === OWN + 3) return true;
  }
  return false;
}

/**
 * Whether the middle of a ring is an eye of the mover: its neighbours are own stones, and the opponent has at most one of
 * the corners, none at the edge of the board.
 */
function isEye(ring: number): boolean {
  let taken = 0;
  let most = 1;
  for (let place = 0; place < RING; place++) {
    const there = classAt(ring, place);
    if (there === OUTSIDE) most = 0;
    else if ((place & 1) === 1 && !isOwn(there)) return false;
    else if (isOpponents(there)) taken++;
  }
  return taken <= most;
}

function isOwn(there: number): boolean {
  return there > OWN && there <= OWN + 3;
}

function isOpponents(there: number): boolean {
  return there > OPPONENT && there <= OPPONENT + 3;
}

function makePatterns(): Patterns {
  const { rows, halves } = halfRings();
  const swapped = new Int16Array(HALVES).fill(-1);
  for (const half of halves) swapped[half] = rows[swapColours(half)]!;
  const width = halves.length;
  const numbers = new Uint16Array(width * width);
  const rings: number[] = [];
  // Rings come in increasing order, so the least of those that symmetries take into each other is the first.
  for (const upper of halves)
    for (const lower of halves) {
      if (!fit(lower, upper)) continue;
      const ring = (upper << HALF) | lower;
      const least = leastImage(ring);
      const at = rows[lower]! * width + rows[upper]!;
      if (least < ring) numbers[at] = numbers[rows[least & (HALVES - 1)]! * width + rows[least >> HALF]!]!;
      else if (isPossible(ring)) {
        numbers[at] = rings.length;
        rings.push(ring);
      }
    }
  return {
    count: rings.length,
    rings: Int32Array.from(rings),
    playable: Uint8Array.from(rings, (ring) => (leavesLiberty(ring) && !isEye(ring) ? 1 : 0)),
    rows,
    swapped,
    width,
    numbers,
  };
}

/**
 * Four neighbours in a row that can stand together, in increasing order, and the row of each in the table. Those with few
 * stones are frequent: they have the first rows, so that the part of the table that is in use is close together.
 */
function halfRings(): { rows: Int16Array; halves: number[] } {
  const rows = new Int16Array(HALVES).fill(-1);
  const halves: number[] = [];
  for (let half = 0; half < HALVES; half++) {
    const at = (place: number) => (half >> (BITS * place)) & 7;
    if (!join(at(0), at(1)) || !join(at(1), at(2)) || !join(at(2), at(3))) continue;
    if (HALF_EDGES.has(outsideOf(half))) halves.push(half);
  }
  const clear = (half: number) => [0, 1, 2, 3].filter((place) => classAt(half, place) === CLEAR).length;
  for (const [row, half] of halves.toSorted((one, other) => clear(other) - clear(one)).entries())
    rows[half] = row;
  return { rows, halves };
}

/** Whether two things can be side by side: stones of one colour are one chain, with one number of liberties. */
function join(one: number, other: number): boolean {
  if (isOwn(one)) return !isOwn(other) || one === other;
  if (one === CLEAR || one === OUTSIDE) return true;
  return !isOpponents(other) || one === other;
}

/** Whether two halves make a ring of a point on the board: joined stones are one chain, and the edges are straight. */
function fit(lower: number, upper: number): boolean {
  const at = (half: number, place: number) => (half >> (BITS * place)) & 7;
  return join(at(lower, 3), at(upper, 0)) && join(at(upper, 3), at(lower, 0));
}

/** Whether a position can have a ring: edges are straight, and chains have the liberties that the ring shows. */
function isPossible(ring: number): boolean {
  if (!EDGES.has(outsideOf(ring))) return false;
  for (let place = 0; place < RING; place++) {
    const there = classAt(ring, place);
    if (there === CLEAR || there === OUTSIDE) continue;
    if (((there - 1) % 3) + 1 < Math.min(3, shownLiberties(ring, place))) return false;
  }
  return true;
}

/** The sets of neighbours outside the board: of a point in the middle, at each side and in each corner. */
const SIDES = [0b00000111, 0b00011100, 0b01110000, 0b11000001];
const EDGES = new Set([0, ...SIDES, ...SIDES.map((side, i) => side | SIDES[(i + 1) % 4]!)]);
const HALF_EDGES = new Set([...EDGES].map((outside) => outside & 15));

/** The places of a ring, or of its lower half, that are outside the board, one bit each. */
function outsideOf(ring: number): number {
  let outside = 0;
  for (let place = 0; place < RING; place++) if (classAt(ring, place) === OUTSIDE) outside |= 1 << place;
  return outside;
}

/** Liberties of the stone at a place of a ring that are in the ring or in its middle. */
function shownLiberties(ring: number, place: number): number {
  const there = classAt(ring, place);
  let first = place;
  let last = place;
  while (first > last - RING + 1 && classAt(ring, first - 1) === there) first--;
  while (last < first + RING - 1 && classAt(ring, last + 1) === there) last++;
  // A chain of two or more stones along the ring has one beside the point.
  const middle = last > first || (place & 1) === 1 ? 1 : 0;
  if (last - first === RING - 1) return middle;
  const before = classAt(ring, first - 1) === CLEAR ? 1 : 0;
  const after = classAt(ring, last + 1) === CLEAR ? 1 : 0;
  // Both ends may be one point.
  return last - first === RING - 2 ? middle + before : middle + before + after;
}

function swapColours(half: number): number {
  let swapped = 0;
  for (let place = 0; place < 4; place++) {
    const there = (half >> (BITS * place)) & 7;
    const other = isOwn(there) ? there + 3 : isOpponents(there) ? there - 3 : there;
    swapped |= other << (BITS * place);
  }
  return swapped;
}

/** The least of the eight images of a ring. */
function leastImage(ring: number): number {
  const mirrored = (reversedHalf(ring & (HALVES - 1)) << HALF) | reversedHalf(ring >> HALF);
  let least = ring;
  // A quarter turn moves every neighbour two places on. The mirror image that keeps top and bottom takes place p to 2 - p,
  // which is 7 - p moved three places on.
  for (let turn = 0; turn < 4; turn++) {
    least = Math.min(least, moved(ring, 2 * turn), moved(mirrored, 2 * turn + 3));
  }
  return least;
}

/** A ring with every neighbour some places further. */
function moved(ring: number, places: number): number {
  const bits = (BITS * places) % (RING * BITS);
  return ((ring << bits) | (ring >>> (RING * BITS - bits))) & RINGS;
}

function reversedHalf(half: number): number {
  return ((half & 7) << 9) | ((half & 0o70) << 3) | ((half & 0o700) >> 3) | (half >> 9);
}
