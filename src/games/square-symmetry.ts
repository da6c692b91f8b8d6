/**
 * Where a cell of a square board goes under one of the 8 symmetries: bit 2 swaps rows and columns, then bit 0 mirrors left
 * and right, bit 1 top and bottom. Cells are numbered row by row from the top left.
 */
export function imageOfSquare(cell: number, symmetry: number, size: number): number {
  let row = Math.floor(cell / size);
  let column = cell % size;
  if (symmetry & 4) [row, column] = [column, row];
  if (symmetry & 1) column = size - 1 - column;
  if (symmetry & 2) row = size - 1 - row;
  return row * size + column;
}
