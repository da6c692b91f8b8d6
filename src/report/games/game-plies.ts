import type { AnalysedDecision } from "../../formats/game-analyses.ts";
import { CHANCE } from "../../games/game.ts";
import type { AnalysedGame } from "./analysed-games.ts";
import type { Board, BoardPlace, SeatNote } from "../../figures/boards/board.ts";
import { drawBoard } from "../../figures/boards/draw-board.ts";
import { withLastMove } from "../../figures/boards/last-move.ts";
import { Markup } from "../../figures/markup.ts";

/** One ply of a game, to be shown: the move and the position after it. */
export interface ShownPly {
  /** Counts from 1. */
  readonly number: number;
  /** The seat that moved; undefined if chance did. */
  readonly seat: number | undefined;
  readonly move: string;
  /** The mover's search; undefined for chance, and for moves of an opening. */
  readonly decision: AnalysedDecision | undefined;
  /** The moves of the decision as text, in its order. */
  readonly moves: readonly string[];
  readonly board: Markup;
  /** By seat: what is beside its name after this ply. */
  readonly seats: readonly SeatNote[];
  /** Further facts of the position. */
  readonly notes: readonly string[];
}

/** The width that boards are drawn for, in pixels; pages show them smaller and larger. */
const WIDTH = 470;

/** The first `most` plies of a game, or all plies of a shorter game. */
export function shownPlies({ analysis, game, record, start }: AnalysedGame, most: number): ShownPly[] {
  const decisions = new Map(analysis.decisions.map((decision) => [decision.ply, decision]));
  const state = game.initial();
  if (start !== undefined) game.copy(start, state);
  let last: BoardPlace | undefined;
  let before: Board | undefined;
  return [...record.actions.subarray(0, most)].map((action, ply) => {
    const mover = game.toMove(state);
    const decision = decisions.get(ply);
    const move = game.notation.format(state, action);
    const moves = (decision?.moves ?? []).map((each) => game.notation.format(state, each.action));
    // A ply of chance leaves the mark of the decision before it.
    if (mover !== CHANCE) {
      last = game.drawing.place?.(state, action);
      before = last === undefined ? undefined : game.drawing.board?.(state);
    }
    game.play(state, action);
    const position = game.drawing.board?.(state);
    const board = position && withLastMove(position, last, before);
    return {
      number: ply + 1,
      seat: mover === CHANCE ? undefined : mover,
      move,
      decision,
      moves,
      board: drawn(board === undefined ? game.drawing.svg(state) : drawBoard(board, WIDTH).text),
      seats: board?.seats ?? [],
      notes: board?.notes ?? [],
    };
  });
}

/** A game's own drawing as part of a page; within HTML an SVG element needs no namespace. */
function drawn(svg: string): Markup {
  return new Markup(svg.replace(/ xmlns="[^"]*"/, ""));
}
