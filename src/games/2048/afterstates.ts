import { CELL, lineTables, REWARD, SLID, TOWARDS_END } from "./lines.ts";

/**
 * All afterstates of a board of 2048 in one pass, to compare the four moves: no copies of states, and only
 * what values on line codes need. Its buffers are used again by the next call.
 */
export class Afterstates {
  /** [4, 8]: for each direction the afterstate's line codes, as in `State2048.lines`. */
  readonly lines: Int32Array = new Int32Array(4 * 8);
  /** For each direction the move's reward. */
  readonly rewards: Int32Array = new Int32Array(4);
  readonly #inColumns: number;
  readonly #inRows: number;

  /** For boards of this size, 2 to 4 rows and columns. */
  constructor(rows: number, columns: number) {
    this.#inColumns = lineTables(rows);
    this.#inRows = lineTables(columns);
  }

  /** Slides the board in the four directions; in the result bit d is set if direction d changes it. */
  slide(lines: Int32Array): number {
    const columns = this.#inColumns;
    const rows = this.#inRows;
    return (
      this.#slide(lines, 0, 4, columns, 0) |
      this.#slide(lines, 1, 0, rows, TOWARDS_END) |
      this.#slide(lines, 2, 4, columns, TOWARDS_END) |
      this.#slide(lines, 3, 0, rows, 0)
    );
  }

  #slide(lines: Int32Array, direction: number, along: number, entries: number, towards: number): number {
    const before0 = entries + lines[along]!;
    const before1 = entries + lines[along + 1]!;
    const before2 = entries + lines[along + 2]!;
    const before3 = entries + lines[along + 3]!;
    const line0 = SLID[towards + before0]!;
    const line1 = SLID[towards + before1]!;
    const line2 = SLID[towards + before2]!;
    const line3 = SLID[towards + before3]!;
    const out = this.lines;
    const to = 8 * direction + along;
    out[to] = line0;
    out[to + 1] = line1;
    out[to + 2] = line2;
    out[to + 3] = line3;
    const across = 8 * direction + 4 - along;
    for (let j = 0; j < 4; j++)
      out[across + j] =
        ((line0 >> j) & CELL) |
        (((line1 >> j) & CELL) << 1) |
        (((line2 >> j) & CELL) << 2) |
        (((line3 >> j) & CELL) << 3);
    this.rewards[direction] = REWARD[before0]! + REWARD[before1]! + REWARD[before2]! + REWARD[before3]!;
    const changed =
      (line0 ^ (before0 - entries)) |
      (line1 ^ (before1 - entries)) |
      (line2 ^ (before2 - entries)) |
      (line3 ^ (before3 - entries));
    return changed === 0 ? 0 : 1 << direction;
  }
}
