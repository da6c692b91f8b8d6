/** The smallest board that has fixed places for handicap stones. */
const SMALLEST_HANDICAP_BOARD = 7;

/** The most handicap stones that have fixed places on a board: 0 below 7x7, 4 on 7x7 and on even sizes, else 9. */
export function mostHandicapStones(size: number): number {
  if (size < SMALLEST_HANDICAP_BOARD) return 0;
  return size === SMALLEST_HANDICAP_BOARD || size % 2 === 0 ? 4 : 9;
}

/**
 * The points of fixed handicap stones, in increasing order (Go Text Protocol 2, section 4.1.1).
 *
 * Corner stones stand on the third line, from 13x13 on the fourth. First come the lower left and the upper right corner,
 * then the upper left, the lower right, the left and right sides, the lower and upper sides; 5, 7 and 9 stones have one
 * in the centre. Throws RangeError for fewer than 2 stones or more than `mostHandicapStones`.
 */
export function handicapPoints(size: number, stones: number): number[] {
  if (stones < 2 || stones > mostHandicapStones(size))
    throw new RangeError(`no fixed places for ${stones} handicap stones on ${size}x${size}`);
  const low = handicapLine(size);
  const high = size - 1 - low;
  const middle = (size - 1) / 2;
  const places = [
    [high, low],
    [low, high],
    [low, low],
    [high, high],
    [middle, low],
    [middle, high],
    [high, middle],
    [low, middle],
  ] as const;
  const centre = stones > 4 && stones % 2 === 1;
  const points = places.slice(0, centre ? stones - 1 : stones).map(([row, column]) => row * size + column);
  if (centre) points.push(middle * size + middle);
  return points.toSorted((a, b) => a - b);
}

/**
 * The points that boards mark with a dot, in increasing order: the places of corner stones, the centre of odd boards, and
 * from 15x15 those of the sides.
 */
export function starPoints(size: number): number[] {
  const odd = size % 2 === 1;
  const centre = (size * size - 1) / 2;
  if (size < SMALLEST_HANDICAP_BOARD) return odd && size > 3 ? [centre] : [];
  if (odd && size >= 9) return handicapPoints(size, size >= 15 ? 9 : 5);
  const corners = handicapPoints(size, 4);
  return odd ? [...corners, centre].toSorted((a, b) => a - b) : corners;
}

/** The line of corner stones, counted from 0 at the edge. */
function handicapLine(size: number): number {
  return size >= 13 ? 3 : 2;
}
