import type { Side } from "./board.ts";

/** What is drawn over a board: what somebody thinks of it, or may do. Nothing of it belongs to the position. */
export interface BoardMarks {
  /** The seat in whose colour heat and ghost are drawn. */
  readonly seat?: number;
  /** By cell: a share, from 0 to 1, as a strength of colour. Shares below 0.02 are not drawn. */
  readonly heat?: ReadonlyMap<number, number>;
  /** By cell: a second share, such as a net's prior, hatched over the colour of the first one. */
  readonly hatch?: ReadonlyMap<number, number>;
  /** Numbers of moves: the cell, and the text in a ring on it. */
  readonly numbers?: readonly { readonly cell: number; readonly text: string }[];
  /** Cells with dots: a move is possible there. */
  readonly dots?: readonly number[];
  /** The outline of a move that somebody looks at; `shape` is that of its piece. */
  readonly ghost?: { readonly cells: readonly number[]; readonly legal?: boolean };
  /** Of games that slide: the mark of each side. A side that is missing is pale: its move is illegal. */
  readonly sides?: Readonly<Partial<Record<Side, SideMark>>>;
  /** Cards by name: a share of each, drawn as a bar under it; and cards that are chosen, drawn higher. */
  readonly cardShares?: ReadonlyMap<string, number>;
  readonly chosenCards?: readonly string[];
}

/** The mark of the move to a side. */
export interface SideMark {
  readonly share?: number;
  readonly text?: string;
  readonly chosen?: boolean;
}

/** The least share that is drawn. */
export const LEAST_SHARE = 0.02;

/** How strong a share is drawn, from 0.1 to 0.6. */
export function strength(share: number): number {
  return Math.round(100 * (0.1 + 0.5 * Math.min(1, share))) / 100;
}
