/**
 * Shapes of the eight points around a move that good local moves often have, for playouts: hane, cuts, and moves at the
 * edge, as described by S. Gelly, Y. Wang, R. Munos and O. Teytaud, *Modification of UCT with patterns in Monte-Carlo
 * Go* (2006), section 3.2 and its figures.
 *
 * The code of a ring has 2 bits for each of the eight neighbours, clockwise from the top left in bits 0-1 to the left one
 * in bits 14-15: the colour of the cell.
 */
import { BLACK, EDGE, EMPTY, WHITE } from "../board.ts";

const RING = 8;
const CODES = 1 << (2 * RING);

let known: Uint8Array | undefined;

/** By code of a ring: the bits of the colours (BLACK, WHITE) for which a move in the middle has a shape. */
export function localShapes(): Uint8Array {
  return (known ??= makeShapes());
}

/** The code of the ring around a cell. */
export function ringCode(colours: Uint8Array, stride: number, cell: number): number {
  return (
    colours[cell - stride - 1]! |
    (colours[cell - stride]! << 2) |
    (colours[cell - stride + 1]! << 4) |
    (colours[cell + 1]! << 6) |
    (colours[cell + stride + 1]! << 8) |
    (colours[cell + stride]! << 10) |
    (colours[cell + stride - 1]! << 12) |
    (colours[cell - 1]! << 14)
  );
}

function makeShapes(): Uint8Array {
  const shapes = new Uint8Array(CODES);
  for (let code = 0; code < CODES; code++) {
    const ring = Array.from({ length: RING }, (_, place) => (code >> (2 * place)) & 3);
    for (const own of [BLACK, WHITE])
      if (images(ring).some((image) => isShape(image, own))) shapes[code]! |= own;
  }
  return shapes;
}

/** The eight images of a ring under the symmetries of the square. */
function images(ring: readonly number[]): number[][] {
  const all: number[][] = [];
  for (let turn = 0; turn < RING; turn += 2) {
    const turned = ring.map((_, place) => ring[(place + turn) % RING]!);
    // The top left corner becomes the top right one.
    all.push(
      turned,
      turned.map((_, place) => turned[(RING + 2 - place) % RING]!),
    );
  }
  return all;
}

/** Whether a move of `own` has one of the shapes, not turned or mirrored. */
function isShape(ring: readonly number[], own: number): boolean {
  const other = BLACK + WHITE - own;
  if (ring[5] === EDGE) return isEdgeShape(ring, own, other);
  if (ring.includes(EDGE)) return false;
  const [northWest, north, , east, , south, , west] = ring;
  return (
    isHane(ring, own, other) ||
    isHane(ring, other, own) ||
    isCut(ring, own, other) ||
    isCut(ring, other, own) ||
    isPush(ring, own, other) ||
    isPush(ring, other, own) ||
    // A hane between two stones of the opponent.
    (north === other &&
      northWest === own &&
      ring[2] === other &&
      east === EMPTY &&
      south === EMPTY &&
      west === EMPTY)
  );
}

/** Around a stone of `b`, beside a stone of `a`. */
function isHane(ring: readonly number[], a: number, b: number): boolean {
  const [northWest, north, northEast, east, , south, southWest, west] = ring;
  if (north !== b || northWest !== a || east !== EMPTY) return false;
  if (west === EMPTY) return northEast === a || (northEast === EMPTY && south === EMPTY);
  return west === a && south === EMPTY && southWest !== b;
}

/** Between two stones of `b` that hang together by the corner behind which `a` is; the other sides are not of `b`. */
function isCut(
  [northWest, north, , east, , south, , west]: readonly number[],
  a: number,
  b: number,
): boolean {
  return north === b && west === b && northWest === a && east !== b && south !== b;
}

/** Between two stones of `b` from a stone of `a`; nothing of `b` is behind. */
function isPush(
  [, north, , east, southEast, south, southWest, west]: readonly number[],
  a: number,
  b: number,
) {
  return north === a && east === b && west === b && south !== b && southEast !== b && southWest !== b;
}

/** At the edge, which is below. */
function isEdgeShape(
  [northWest, north, northEast, east, , , , west]: readonly number[],
  own: number,
  other: number,
): boolean {
  // A stone of one side is at the edge, below one of the other.
  const chases = (a: number, b: number) => west === b && northWest === a && north === EMPTY;
  // Down from a stone, beside one of the other colour.
  const blocks = (a: number, b: number) => north === a && east === b && west !== b;
  return (
    chases(own, other) ||
    chases(other, own) ||
    blocks(own, other) ||
    blocks(other, own) ||
    (north === own && northEast === other && west !== other && east !== other) ||
    (north === other && northEast === own && west === own && east !== own)
  );
}
