/** Othello in plain words: a board is a list of rows from the top, texts of `X`, `O` and `.`. */

/** A board and its mover: `X` or `O`. */
export interface PlainOthello {
  readonly rows: readonly string[];
  readonly mover: string;
}

/** The board of the text of a position. */
export function readOthello(position: string): PlainOthello {
  const [text, mover] = position.split(" ") as [string, string];
  return {
    rows: text.split("/").map((row) => row.replaceAll(/[1-8]/g, (digit) => ".".repeat(Number(digit)))),
    mover,
  };
}

/** The squares, as row and column, that a disc of `mover` on a square would turn over. */
function turnedBy({ rows }: PlainOthello, mover: string, row: number, column: number): [number, number][] {
  if (rows[row]![column] !== ".") return [];
  const other = mover === "X" ? "O" : "X";
  const turned: [number, number][] = [];
  for (const down of [-1, 0, 1])
    for (const across of [-1, 0, 1]) {
      const line: [number, number][] = [];
      let [r, c] = [row + down, column + across];
      while (rows[r]?.[c] === other) {
        line.push([r, c]);
        r += down;
        c += across;
      }
      if (rows[r]?.[c] === mover) turned.push(...line);
    }
  return turned;
}

/** The moves of a seat: squares row by row. */
export function plainMoves(board: PlainOthello, mover: string): [number, number][] {
  return board.rows.flatMap((text, row) =>
    text
      .split("")
      .flatMap((_, column): [number, number][] =>
        turnedBy(board, mover, row, column).length > 0 ? [[row, column]] : [],
      ),
  );
}

/** The board after a move of the mover; the other seat moves next, whether it has a move or not. */
function plainPlay(board: PlainOthello, row: number, column: number): PlainOthello {
  const rows = board.rows.map((text) => text.split(""));
  for (const [r, c] of [...turnedBy(board, board.mover, row, column), [row, column] as const])
    rows[r]![c] = board.mover;
  return { rows: rows.map((cells) => cells.join("")), mover: board.mover === "X" ? "O" : "X" };
}

/** The number of sequences of `depth` moves, passes included, from the text of a position. */
export function countFrom(position: string, depth: number): number {
  return count(readOthello(position), depth);
}

function count(board: PlainOthello, depth: number): number {
  if (depth === 0) return 1;
  const moves = plainMoves(board, board.mover);
  const other = board.mover === "X" ? "O" : "X";
  if (moves.length === 0)
    return plainMoves(board, other).length === 0 ? 0 : count({ rows: board.rows, mover: other }, depth - 1);
  return moves.reduce((sum, [row, column]) => sum + count(plainPlay(board, row, column), depth - 1), 0);
}
