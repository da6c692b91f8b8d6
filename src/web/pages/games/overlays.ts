import type { BoardMarks, SideMark } from "../../../figures/boards/marks.ts";
import type { Side } from "../../../figures/boards/board.ts";
import type { PositionShown } from "../../views/game-views.ts";

/** What is drawn over the board. */
export interface Overlays {
  readonly visits: boolean;
  readonly numbers: boolean;
  readonly prior: boolean;
}

/** The overlays in words, in the order of their switches. */
export const ANALYST_SEES: Readonly<Record<keyof Overlays, string>> = {
  visits: "visits on the board",
  numbers: "numbers 1–4",
  prior: "net's prior, hatched",
};

/** Moves with numbers on the board. */
const NUMBERED = 4;

/** What a decision's thoughts draw over its board: heat, numbers, the move that is played next or that somebody looks at. */
export function thoughtMarks(
  { board, mover, next, thought }: PositionShown,
  overlays: Overlays,
  looked: number | undefined,
): BoardMarks {
  const moves = thought?.moves ?? [];
  const total = Math.max(1, thought?.visits ?? 0);
  const shareOf = (move: (typeof moves)[number]) =>
    overlays.visits ? move.visits / total : overlays.prior ? (move.prior ?? 0) : 0;
  const heat = new Map<number, number>();
  const hatch = new Map<number, number>();
  const cardShares = new Map<string, number>();
  for (const move of moves) {
    for (const cell of move.place?.cells ?? []) {
      if (overlays.visits) heat.set(cell, Math.min(1, (heat.get(cell) ?? 0) + move.visits / total));
      if (overlays.prior) hatch.set(cell, Math.min(1, (hatch.get(cell) ?? 0) + (move.prior ?? 0)));
    }
    for (const card of move.place?.cards ?? [])
      cardShares.set(card, Math.min(1, (cardShares.get(card) ?? 0) + shareOf(move)));
  }
  const numbers = overlays.numbers ? numbered(moves) : [];
  const shown = looked === undefined ? next : moves[looked]?.place;
  const slides = board.kind === "grid" && board.ground === "tiles";
  const sides: Partial<Record<Side, SideMark>> = {};
  for (const move of moves)
    if (move.place?.side !== undefined)
      sides[move.place.side] = {
        share: shareOf(move),
        text: overlays.visits && total > 1 ? `${Math.round((100 * move.visits) / total)}%` : "",
        chosen: looked === undefined ? move.played : moves[looked] === move,
      };
  if (next?.side !== undefined) sides[next.side] ??= { chosen: true };
  return {
    ...(mover === undefined ? {} : { seat: mover }),
    heat,
    hatch,
    numbers,
    ...(shown?.cells === undefined ? {} : { ghost: { cells: shown.cells } }),
    cardShares,
    ...(shown?.cards === undefined ? {} : { chosenCards: shown.cards }),
    ...(slides ? { sides } : {}),
  };
}

/** The first moves, each at one of its cells that no other number has taken, if there is one. */
function numbered(moves: NonNullable<PositionShown["thought"]>["moves"]): { cell: number; text: string }[] {
  const taken = new Set<number>();
  return moves.slice(0, NUMBERED).flatMap(({ place }, i) => {
    const cell = place?.cells?.find((each) => !taken.has(each)) ?? place?.cells?.[0];
    if (cell === undefined) return [];
    taken.add(cell);
    return [{ cell, text: String(i + 1) }];
  });
}
