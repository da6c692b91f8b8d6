import type { PieceShape } from "../../../figures/boards/board.ts";

const NUMBERS = ["no squares", "one", "two", "three", "four", "five"];

/** A piece in words: `the bar of four`, `the single square`, `the W`. */
export function pieceWords(piece: string, shape: PieceShape): string {
  const size = NUMBERS[shape.length] ?? String(shape.length);
  const straight = [0, 1].some((axis) => shape.every((cell) => cell[axis] === shape[0]![axis]));
  if (shape.length === 1) return "the single square";
  if (straight) return `the bar of ${size}`;
  const columns = 1 + Math.max(...shape.map(([x]) => x));
  const rows = 1 + Math.max(...shape.map(([, y]) => y));
  if (columns === rows && columns * rows === shape.length) return `the square of ${size}`;
  return `the ${piece.charAt(0)} of ${size}`;
}
