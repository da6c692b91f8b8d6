import { describe, expect, it } from "vitest";
import type { GridBoard } from "../../src/figures/boards/board.ts";
import { boardSvg, drawBoard } from "../../src/figures/boards/draw-board.ts";
import { gridLayout } from "../../src/figures/boards/grid-layout.ts";
import { outlinePath } from "../../src/figures/boards/outline.ts";

const board: GridBoard = {
  kind: "grid",
  columns: 4,
  rows: 3,
  ground: "cells",
  columnNames: ["a", "b", "c", "<d>"],
  rowNames: ["3", "2", "1"],
  pieces: [{ seat: 1, shape: "block", cells: [0, 1, 4] }],
  last: [0, 1, 4],
  seats: [{}, {}],
};

describe("boards", () => {
  it("are laid out so that each cell is found at its middle, and none outside", () => {
    for (const sides of [false, true]) {
      const { cellAt, height, middle, width } = gridLayout(board, 500, sides);
      for (let cell = 0; cell < 12; cell++) expect(cellAt(...middle(cell))).toBe(cell);
      expect(cellAt(1, 1)).toBeUndefined();
      expect(cellAt(width - 1, height - 1)).toBeUndefined();
    }
  });

  it("outline a piece by the edges that its cells do not share", () => {
    const edges = (cells: number[]) =>
      outlinePath(cells, 4, 10, (cell) => [10 * (cell % 4), 10 * Math.floor(cell / 4)]).split("M").length - 1;
    expect(edges([0])).toBe(4);
    expect(edges([0, 1, 4])).toBe(8);
    // The end of a row and the begin of the next one are no neighbours.
    expect(edges([3, 4])).toBe(8);
  });

  it("take their colours from the page, or have them in a file", () => {
    expect(drawBoard(board, 400).text).toMatch(/fill="var\(--seat-1\)"/);
    expect(boardSvg(board)).not.toContain("var(");
    expect(boardSvg(board)).toContain("&lt;d&gt;");
  });

  it("show shares of 2% on, numbers, a ghost and the sides", () => {
    const heat = new Map([
      [5, 0.5],
      [6, 0.01],
    ]);
    const drawn = drawBoard(board, 400, { seat: 1, heat, numbers: [{ cell: 5, text: "1" }] }).text;
    expect(drawn.match(/fill-opacity="0\.35"/g)).toHaveLength(1);
    expect(drawn).toContain(">1</text>");
    expect(drawBoard(board, 400, { ghost: { cells: [7] } }).text).toContain("stroke-dasharray");
    expect(drawBoard(board, 400, { sides: { up: { share: 0.4, text: "40%" } } }).text).toContain("↑ 40%");
  });
});
