import type { PlayView, MoveShown } from "../../views/play-views.ts";

/** How moves of a game are made by hand: by sliding, with pieces, with cards, at cells, or from a list. */
export type MoveKind = "slide" | "pieces" | "cards" | "cells" | "list";

/** How the moves of a game are made: from their places on its board. */
export function moveKind({ board, moves, pieceShapes }: PlayView): MoveKind {
  if (board?.kind === "cards") return "cards";
  if (board?.kind === "grid") {
    if (board.ground === "tiles") return "slide";
    if (pieceShapes !== undefined) return "pieces";
    if (moves.length === 0 || moves.some(({ place }) => place?.cells !== undefined)) return "cells";
  }
  return "list";
}

/** The cells that choose a move under a pointer. */
export function reachOf({ place }: MoveShown): readonly number[] {
  return place?.reach ?? place?.cells ?? [];
}
