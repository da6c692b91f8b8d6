import { Markup } from "../markup.ts";
import type { Board } from "./board.ts";
import { drawCards } from "./draw-cards.ts";
import { drawGrid } from "./draw-grid.ts";
import type { BoardMarks } from "./marks.ts";
import { filePaints, themePaints } from "./paints.ts";

/** The width of a board in a file, in pixels. */
const FILE_WIDTH = 480;

/**
 * A board as an SVG element of the given width in pixels, in the colours of the document around it (`paletteVariables` and
 * `--ink`, `--muted`, `--paper`), with what is drawn over it. The same code draws in reports, files and browsers.
 */
export function drawBoard(board: Board, width: number, marks: BoardMarks = {}): Markup {
  if (board.kind === "grid") return drawGrid(board, width, themePaints, marks);
  if (board.kind === "cards") return drawCards(board, width, themePaints, marks);
  return new Markup(board.svg);
}

/** A board as a self-contained SVG file, in the light theme. */
export function boardSvg(board: Board, width = FILE_WIDTH): string {
  if (board.kind === "grid") return drawGrid(board, width, filePaints, {}).text;
  if (board.kind === "cards") return drawCards(board, width, filePaints, {}).text;
  return board.svg;
}
