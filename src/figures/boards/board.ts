/**
 * A position as data, to be drawn: a game makes it from a state (`Drawing.board`), `drawBoard` draws it in reports, in image
 * files and on pages. It holds all that is drawn and nothing else, so a board for one seat has no card that this seat cannot
 * see.
 */
export type Board = GridBoard | CardBoard | PictureBoard;

/** Data of a board of any kind beside its picture. */
interface AnyBoard {
  /** By seat: what is beside its name. */
  readonly seats: readonly SeatNote[];
  /** Further facts of the position: `locked`, `revolution`. */
  readonly notes?: readonly string[];
}

/** What a board shows of a seat. */
export interface SeatNote {
  /** Its score as the game counts it: `−34`, `12 discs`. */
  readonly score?: string;
  /** `passed`, `no more moves`, `place 2`. */
  readonly note?: string;
  /** Its pieces that are not on the board, by their names in `pieceShapes`. */
  readonly left?: readonly string[];
}

/** A board of rows and columns. Its cells are numbered row by row from the top left, from 0. */
export interface GridBoard extends AnyBoard {
  readonly kind: "grid";
  readonly columns: number;
  readonly rows: number;
  /** What the ground looks like: cells, crossings of lines (Go), a green board (Othello), holes (Connect Four), tiles (2048). */
  readonly ground: "cells" | "points" | "green" | "holes" | "tiles";
  /** From the left, and from the top. Absent: cells have no names. */
  readonly columnNames?: readonly string[];
  readonly rowNames?: readonly string[];
  /** Cells with a small dot: star points, start cells. */
  readonly dots?: readonly number[];
  readonly pieces: readonly Piece[];
  /** The cells of the last move. */
  readonly last?: readonly number[];
  /** The side to which the last move slid everything. */
  readonly lastSide?: Side;
  /** Cells whose pieces the last move turned to its seat. */
  readonly turned?: readonly number[];
  /** The rows that have won the game: the cells of each, in order. */
  readonly won?: readonly (readonly number[])[];
}

/** A piece on one cell, or on several: a polyomino. */
export interface Piece {
  readonly seat: number;
  /**
   * `block`: squares with a common outline; `stone`: a disc; `cross` and `ring`: strokes; `tile`: a square with a number.
   */
  readonly shape: "block" | "stone" | "cross" | "ring" | "tile";
  readonly cells: readonly number[];
  /** The number on a tile. */
  readonly value?: number;
}

/** Hands of cards around a table. Cards are named by suit and rank: `S3`, `HT`, `JK` is the joker. */
export interface CardBoard extends AnyBoard {
  readonly kind: "cards";
  /** The cards that lie on the table; none if it is empty. */
  readonly table: readonly string[];
  /** By seat. */
  readonly hands: readonly CardHand[];
  /** The seat to move, if a seat is. */
  readonly toMove?: number;
}

/** A hand: its cards, or only their number if they are hidden. */
export interface CardHand {
  readonly count: number;
  readonly cards?: readonly string[];
}

/** A picture by the game itself: a self-contained SVG element. The places of its moves are not known. */
export interface PictureBoard extends AnyBoard {
  readonly kind: "picture";
  readonly svg: string;
}

/** The place of a move on a board, for dots, heat, ghosts and pointers. All parts are optional. */
export interface BoardPlace {
  /** The cells that its piece will cover. */
  readonly cells?: readonly number[];
  /** Cells that choose the move under a pointer, if they are not the cells that it covers: the whole column. */
  readonly reach?: readonly number[];
  /** The piece that it lays, by its name in `pieceShapes`. */
  readonly piece?: string;
  /** The side to which everything slides. */
  readonly side?: Side;
  /** The cards that it plays. */
  readonly cards?: readonly string[];
}

/** A side of a board. */
export type Side = "up" | "right" | "down" | "left";

/** The squares of a piece, from the top left of its bounding box. */
export type PieceShape = readonly (readonly [x: number, y: number])[];
