/** Connect Four in plain words: a board is a list of columns from the left, each a text of its stones from the bottom. */

/** A board, its number of rows, and the mover: `x` or `o`. */
export interface PlainBoard {
  readonly columns: readonly string[];
  readonly rows: number;
  readonly mover: string;
}

/** The board of the text of a position. */
export function readBoard(position: string): PlainBoard {
  const [text, mover] = position.split(" ") as [string, string];
  const rows = text
    .split("/")
    .map((row) => row.replaceAll(/[1-8]/g, (digit) => ".".repeat(Number(digit))))
    .reverse();
  const columns = rows[0]!.split("").map((_, column) =>
    rows
      .map((row) => row[column])
      .join("")
      .replaceAll(".", ""),
  );
  return { columns, rows: rows.length, mover };
}

/** The boards after each move, by column; undefined if the column is full. */
export function movesOf({ columns, rows, mover }: PlainBoard): (PlainBoard | undefined)[] {
  return columns.map((stones, column) =>
    stones.length === rows
      ? undefined
      : {
          columns: columns.with(column, stones + mover),
          rows,
          mover: mover === "x" ? "o" : "x",
        },
  );
}

/** The directions of lines: columns to the right, rows up. */
const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
] as const;

/** Whether a stone has four in a row. */
export function hasFourOf({ columns, rows }: PlainBoard, stone: string): boolean {
  for (let column = 0; column < columns.length; column++)
    for (let row = 0; row < rows; row++)
      for (const [across, up] of DIRECTIONS)
        if ([0, 1, 2, 3].every((i) => columns[column + i * across]?.[row + i * up] === stone)) return true;
  return false;
}

/** By seat and number of its stones: the lines of four on the board without a stone of the other seat. */
export function openLinesOf({ columns, rows }: PlainBoard): number[][] {
  const counts = [0, 1].map(() => [0, 0, 0, 0, 0]);
  for (let column = 0; column < columns.length; column++)
    for (let row = 0; row < rows; row++)
      for (const [across, up] of DIRECTIONS) {
        const lastRow = row + 3 * up;
        if (column + 3 * across >= columns.length || lastRow < 0 || lastRow >= rows) continue;
        const line = [0, 1, 2, 3].map((i) => columns[column + i * across]![row + i * up] ?? "");
        for (const [seat, own] of ["x", "o"].entries())
          if (line.every((stone) => stone === "" || stone === own))
            counts[seat]![line.filter((stone) => stone === own).length]!++;
      }
  return counts;
}

export function isOver(board: PlainBoard): boolean {
  return (
    hasFourOf(board, "x") ||
    hasFourOf(board, "o") ||
    board.columns.every((stones) => stones.length === board.rows)
  );
}

/** The number of sequences of `depth` moves from the text of a position. */
export function countFrom(position: string, depth: number): number {
  return count(readBoard(position), depth);
}

function count(board: PlainBoard, depth: number): number {
  if (depth === 0) return 1;
  if (isOver(board)) return 0;
  let total = 0;
  for (const after of movesOf(board)) if (after !== undefined) total += count(after, depth - 1);
  return total;
}

/** Outcome and plies to the end, by plain minimax: the winner ends the game early, the loser late. */
export function plainValue(
  board: PlainBoard,
  known: Map<string, { outcome: number; plies: number }>,
): { outcome: number; plies: number } {
  const other = board.mover === "x" ? "o" : "x";
  if (hasFourOf(board, other)) return { outcome: -1, plies: 0 };
  const key = board.columns.join("|");
  const found = known.get(key);
  if (found !== undefined) return found;
  let best: { outcome: number; plies: number } | undefined;
  for (const after of movesOf(board)) {
    if (after === undefined) continue;
    const value = plainValue(after, known);
    const own = { outcome: 0 - value.outcome, plies: value.plies + 1 };
    if (best === undefined || rank(own) > rank(best)) best = own;
  }
  best ??= { outcome: 0, plies: 0 };
  known.set(key, best);
  return best;
}

/** Orders values for the mover. */
function rank({ outcome, plies }: { outcome: number; plies: number }): number {
  return outcome * (1000 - plies);
}
