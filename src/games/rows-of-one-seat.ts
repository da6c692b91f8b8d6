const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
] as const;

/**
 * The straight rows of at least `length` cells of one seat on a board, each as long as it is: its cells in order. `seatAt` is the seat
 * that has a cell, or negative. Cells are numbered row by row.
 */
export function rowsOfOneSeat(
  columns: number,
  rows: number,
  length: number,
  seatAt: (cell: number) => number,
): number[][] {
  const seat = (x: number, y: number) =>
    x >= 0 && x < columns && y >= 0 && y < rows ? seatAt(y * columns + x) : -1;
  const found: number[][] = [];
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++)
      for (const [dx, dy] of DIRECTIONS) {
        const own = seat(x, y);
        if (own < 0 || seat(x - dx, y - dy) === own) continue;
        const cells: number[] = [];
        for (let i = 0; seat(x + i * dx, y + i * dy) === own; i++)
          cells.push((y + i * dy) * columns + x + i * dx);
        if (cells.length >= length) found.push(cells);
      }
  return found;
}
