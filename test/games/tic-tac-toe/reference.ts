/** Tic-tac-toe in plain words: a board is a text of nine characters, `x`, `o` or `.`, row by row from the top left. */

const THREES = ["012", "345", "678", "036", "147", "258", "048", "246"];

function isOver(board: string): boolean {
  const threes = THREES.map((cells) =>
    cells
      .split("")
      .map((cell) => board[Number(cell)])
      .join(""),
  );
  return !board.includes(".") || threes.includes("xxx") || threes.includes("ooo");
}

/** The number of sequences of `depth` moves from the text of a position. */
export function countFrom(position: string, depth: number): number {
  const [text, mover] = position.split(" ");
  const board = text!.replaceAll("/", "").replaceAll(/[1-3]/g, (digit) => ".".repeat(Number(digit)));
  return count(board, mover!, depth);
}

function count(board: string, mover: string, depth: number): number {
  if (depth === 0) return 1;
  if (isOver(board)) return 0;
  let total = 0;
  for (const [cell, stone] of board.split("").entries())
    if (stone === ".")
      total += count(
        board.slice(0, cell) + mover + board.slice(cell + 1),
        mover === "x" ? "o" : "x",
        depth - 1,
      );
  return total;
}
