import type { GridBoard } from "./board.ts";

/** Room for names of rows and columns, and around the ground. In pixels. */
const NAMES = 22;
const PADDING = 4;
/** Room at each side for the marks of the moves to that side. */
const SIDES = 46;
/** Boards that are smaller have no names of rows and columns. */
const LEAST_NAMED = 240;

/** The places of a board's cells in its picture, in pixels. */
export interface GridLayout {
  readonly width: number;
  readonly height: number;
  /** The ground. */
  readonly left: number;
  readonly top: number;
  readonly groundWidth: number;
  readonly groundHeight: number;
  /** The side of a cell. */
  readonly step: number;
  readonly named: boolean;
  /** The top left corner of a cell. */
  readonly corner: (cell: number) => readonly [x: number, y: number];
  readonly middle: (cell: number) => readonly [x: number, y: number];
  /** The cell at a point of the picture; undefined outside the board. */
  readonly cellAt: (x: number, y: number) => number | undefined;
}

/** Lays a board out in a picture of a given width; `sides` leaves room around it for the moves to the four sides. */
export function gridLayout(board: GridBoard, width: number, sides = false): GridLayout {
  const { columnNames, columns, rowNames, rows } = board;
  const named = width >= LEAST_NAMED;
  const around = sides ? SIDES : 0;
  const names = named && rowNames !== undefined ? NAMES : 0;
  const below = named && columnNames !== undefined ? NAMES : 0;
  const left = around + names;
  const groundWidth = width - left - around;
  const step = (groundWidth - 2 * PADDING) / columns;
  const groundHeight = rows * step + 2 * PADDING;
  const corner = (cell: number) =>
    [left + PADDING + (cell % columns) * step, around + PADDING + Math.floor(cell / columns) * step] as const;
  return {
    width,
    height: groundHeight + 2 * around + below,
    left,
    top: around,
    groundWidth,
    groundHeight,
    step,
    named,
    corner,
    middle: (cell) => {
      const [x, y] = corner(cell);
      return [x + step / 2, y + step / 2];
    },
    cellAt: (x, y) => {
      const column = Math.floor((x - left - PADDING) / step);
      const row = Math.floor((y - around - PADDING) / step);
      return column < 0 || column >= columns || row < 0 || row >= rows ? undefined : row * columns + column;
    },
  };
}
