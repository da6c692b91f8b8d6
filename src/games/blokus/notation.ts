import { actionAt, type BlokusBoard, cellsOfAction } from "./board.ts";
import { isLegal } from "./legal.ts";
import { orientationOfShape, shapeKey } from "./pieces.ts";
import type { BlokusState } from "./state.ts";
import type { Notation } from "../game.ts";
import { cellOfText, cellText } from "./cell-text.ts";
import { blokusPosition, parseBlokusPosition } from "./position-notation.ts";

/** The squares of an action as text, joined by commas: from the top row down, in a row from the left. */
export function formatPlacement(board: BlokusBoard, action: number): string {
  return cellsOfAction(board, action)
    .map(([x, y]) => cellText(board.size, x, y))
    .join(",");
}

/** One to five cells. */
const MOVE = /^[a-t][1-9]\d?(,[a-t][1-9]\d?){0,4}$/i;

/**
 * The action that covers the named cells, which may be in any order and either case. Undefined if the text is not a
 * list of cells, if it names a cell twice or a cell outside the board, or if no piece has the shape.
 */
export function parsePlacement(board: BlokusBoard, text: string): number | undefined {
  if (!MOVE.test(text)) return undefined;
  const cells: (readonly [x: number, y: number])[] = [];
  for (const part of text.split(",")) {
    const cell = cellOfText(board.size, part);
    if (cell === undefined || cells.some(([x, y]) => x === cell[0] && y === cell[1])) return undefined;
    cells.push(cell);
  }
  const left = Math.min(...cells.map(([x]) => x));
  const top = Math.min(...cells.map(([, y]) => y));
  if (cells.some(([x, y]) => x > left + 4 || y > top + 4)) return undefined;
  const orientation = orientationOfShape.get(shapeKey(cells));
  return orientation === undefined || orientation < board.firstOrientation
    ? undefined
    : actionAt(board, orientation, left, top);
}

/** Moves as the cells that they cover: `a20,b20`. The same text in GTP and in Blokus SGF. For positions see `blokusPosition`. */
export function blokusNotation(board: BlokusBoard): Notation<BlokusState> {
  return {
    format: (_, action) => formatPlacement(board, action),
    parse(state, text) {
      const action = parsePlacement(board, text);
      const legal = action !== undefined && state.toMove >= 0 && isLegal(state, board, state.toMove, action);
      return legal ? action : undefined;
    },
    position: (state) => blokusPosition(state, board),
    parsePosition: (text) => parseBlokusPosition(text, board),
  };
}
