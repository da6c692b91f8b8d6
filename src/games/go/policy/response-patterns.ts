/**
 * Patterns of responses: the 3x3 points around the opponent's last stone as the mover sees them, the number of liberties of
 * its chain (1, 2, or 3 and more), and where a move is: on one of the twelve points at most two steps away, the diamond of
 * Silver et al. 2016. Their response patterns show the colours of all twelve; these show those of the nearest eight.
 * Patterns that one of the eight symmetries takes into each other have one number.
 *
 * The code of a ring has 2 bits for each of the eight neighbours: clockwise from the top left in bits 0-1, the left one in
 * bits 14-15; 0 clear, 1 the mover, 2 the opponent, 3 outside the board. Places of moves are the eight neighbours in that
 * order, then two steps above, right, below and left.
 */

/** Places of moves around a stone. */
export const DIAMOND = 12;
const RING = 8;
const OUTSIDE = 3;
const CODES = 1 << (2 * RING);
const MOST_LIBERTIES = 3;

/** All patterns of responses. */
export interface ResponsePatterns {
  /** How many there are; patterns are 0 .. count - 1. */
  readonly count: number;
  /** By code of a ring: its row in `starts`; -1 for one that no point has. */
  readonly rows: Int16Array;
  /**
   * The pattern is that at (row of the ring) * DIAMOND + (place of the move), plus the liberties of the stone's chain, at
   * most 3.
   */
  readonly starts: Int16Array;
  /** By pattern: a text of it. */
  readonly text: (pattern: number) => string;
}

let known: ResponsePatterns | undefined;

/** The patterns of responses; the first call makes the tables, which takes some tens of milliseconds. */
export function responsePatterns(): ResponsePatterns {
  return (known ??= makePatterns());
}

function makePatterns(): ResponsePatterns {
  const rows = new Int16Array(CODES).fill(-1);
  const codes: number[] = [];
  for (let code = 0; code < CODES; code++)
    if (EDGES.has(outsideOf(code))) {
      rows[code] = codes.length;
      codes.push(code);
    }
  const starts = new Int16Array(codes.length * DIAMOND);
  /** The first pattern of a ring and a place. */
  const firsts = new Map<number, number>();
  const shown: { readonly code: number; readonly place: number; readonly liberties: number }[] = [];
  for (const code of codes)
    for (let place = 0; place < DIAMOND; place++) {
      if (!isOpen(code, place)) continue;
      const least = leastImage(code, place);
      const fewest = Math.max(1, Math.min(MOST_LIBERTIES, clearBeside(code)));
      let first = firsts.get(least);
      if (first === undefined) {
        first = shown.length;
        firsts.set(least, first);
        for (let liberties = fewest; liberties <= MOST_LIBERTIES; liberties++)
          shown.push({ code, place, liberties });
      }
      starts[rows[code]! * DIAMOND + place] = first - fewest;
    }
  return {
    count: shown.length,
    rows,
    starts,
    text: (pattern) => {
      const { code, place, liberties } = shown[pattern]!;
      return textOf(code, place, liberties);
    },
  };
}

/** The sets of neighbours outside the board: of a point in the middle, at each side and in each corner. */
const SIDES = [0b00000111, 0b00011100, 0b01110000, 0b11000001];
const EDGES = new Set([0, ...SIDES, ...SIDES.map((side, i) => side | SIDES[(i + 1) % 4]!)]);

function outsideOf(code: number): number {
  let outside = 0;
  for (let place = 0; place < RING; place++) if (at(code, place) === OUTSIDE) outside |= 1 << place;
  return outside;
}

/** What a ring has at a place. */
function at(code: number, place: number): number {
  return (code >> (2 * place)) & 3;
}

/** Whether a move can be at a place: the point is clear, or, two steps away, may be on the board. */
function isOpen(code: number, place: number): boolean {
  return place < RING ? at(code, place) === 0 : at(code, 2 * (place - RING) + 1) !== OUTSIDE;
}

function clearBeside(code: number): number {
  let clear = 0;
  for (let place = 1; place < RING; place += 2) if (at(code, place) === 0) clear++;
  return clear;
}

/** The least of the eight images of a ring with a move, as one number. */
function leastImage(code: number, place: number): number {
  let image = code;
  let move = place;
  let least = Infinity;
  for (let i = 0; i < 8; i++) {
    least = Math.min(least, image * DIAMOND + move);
    // A quarter turn clockwise, and halfway a reflection.
    image = ((image << 4) | (image >> 12)) & (CODES - 1);
    move = move < RING ? (move + 2) % RING : RING + ((move - RING + 1) % 4);
    if (i === 3) {
      image = mirrored(image);
      move = move < RING ? (RING + 2 - move) % RING : RING + ((4 + RING - move) % 4);
    }
  }
  return least;
}

/** The image of a ring where left and right change places. */
function mirrored(code: number): number {
  let image = 0;
  for (let place = 0; place < RING; place++) image |= at(code, place) << (2 * ((RING + 2 - place) % RING));
  return image;
}

const PLACES = [
  "above left",
  "above",
  "above right",
  "right",
  "below right",
  "below",
  "below left",
  "left",
  "two above",
  "two right",
  "two below",
  "two left",
];

/** `x` and `o` are stones of mover and opponent, `#` is outside; in the middle the last stone with its liberties. */
function textOf(code: number, place: number, liberties: number): string {
  const shown = (each: number) => ".xo#"[at(code, each)]!;
  const row = (...places: number[]) => places.map(shown).join(" ");
  return `${row(0, 1, 2)} / ${shown(7)} o${liberties} ${shown(3)} / ${row(6, 5, 4)} ${PLACES[place]!}`;
}
