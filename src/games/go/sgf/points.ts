import { sgfCompose } from "../../../formats/sgf/values.ts";

/** From this size on there is no other pass than the empty value; up to it, `tt` lies outside every board. */
const SIZE_WITHOUT_TT = 20;

/** The letters of a point, column first, from the top left: `aa`. */
export function sgfPoint(size: number, point: number): string {
  return String.fromCharCode(0x61 + (point % size), 0x61 + Math.floor(point / size));
}

/** The point of two small letters; undefined if they name none on a board of this size. */
function pointOfSgf(size: number, text: string): number | undefined {
  if (text.length !== 2) return undefined;
  const column = text.charCodeAt(0) - 0x61;
  const row = text.charCodeAt(1) - 0x61;
  return column >= 0 && column < size && row >= 0 && row < size ? row * size + column : undefined;
}

/**
 * The action of a move: a point, or the pass (size * size) for an empty value, `tt` and the word `pass`. Capitals are
 * read as small letters. undefined if the value names no move on a board of this size.
 */
export function moveOfSgf(size: number, value: string): number | undefined {
  const text = value.trim().toLowerCase();
  if (text === "" || text === "pass" || (text === "tt" && size < SIZE_WITHOUT_TT)) return size * size;
  return pointOfSgf(size, text);
}

/**
 * The points of a value in a list: one point, or the rectangle between two corners. undefined if the value is
 * neither. FF[4], section 4.1.1 (compressed point lists).
 */
export function pointsOfSgf(size: number, value: string): number[] | undefined {
  const corners = sgfCompose(value) ?? [value, value];
  const [from, to] = corners.map((corner) => pointOfSgf(size, corner.trim().toLowerCase()));
  if (from === undefined || to === undefined) return undefined;
  const [left, right] = [from % size, to % size].toSorted((a, b) => a - b) as [number, number];
  const [top, bottom] = [Math.floor(from / size), Math.floor(to / size)].toSorted((a, b) => a - b) as [
    number,
    number,
  ];
  const points: number[] = [];
  for (let row = top; row <= bottom; row++)
    for (let column = left; column <= right; column++) points.push(row * size + column);
  return points;
}
