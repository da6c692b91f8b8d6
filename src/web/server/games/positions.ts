import type { AnalysedDecision, NetOpinion } from "../../../formats/game-analyses.ts";
import { finiteOrNull } from "../../../formats/finite-or-null.ts";
import type { StoredGame } from "../../../formats/game-records.ts";
import type { Board, BoardPlace } from "../../../figures/boards/board.ts";
import type { Game } from "../../../games/game.ts";
import type { PositionShown, ThoughtShown } from "../../views/game-views.ts";
import { boardOf } from "../board-of.ts";
import { isHidden } from "./game-view.ts";
import { expectsReturns } from "./value-unit.ts";
import { isDecision, type ViewedRun, statesOf } from "./opened-game.ts";

/** A decision as an analysis shows it; `loss` if both moves were analysed. */
export type ShownDecision = Omit<AnalysedDecision, "opinion"> & {
  readonly opinion?: Pick<NetOpinion, "values" | "rank">;
  readonly loss?: number | undefined;
};

/**
 * Positions of a game with what was thought there, before the plies `from` to `to` (from 0; the last position is that after the
 * last ply). As a seat saw it: boards have only what it saw, and thoughts of others are left out, since they reveal their hands.
 */
export function positionsOf(
  { experiment, game }: Pick<ViewedRun, "experiment" | "game">,
  record: StoredGame,
  {
    by,
    from,
    seen,
    to,
  }: { readonly from: number; readonly to: number; readonly seen: number | undefined; readonly by?: string },
  decisions: readonly ShownDecision[],
): PositionShown[] {
  const thoughts = new Map(decisions.map((decision) => [decision.ply, decision]));
  const shown: PositionShown[] = [];
  const returns = new Float64Array(game.players);
  let last: BoardPlace | undefined;
  const before = game.initial();
  for (const { mover, ply, state } of statesOf(game, record)) {
    if (ply > to) break;
    const decides = isDecision(mover) && ply < record.actions.length;
    const action = record.actions[ply]!;
    const hidden = decides && seen !== undefined && isHidden(game.information, state, action, seen);
    const next = decides && !hidden ? game.drawing.place?.(state, action) : undefined;
    if (ply >= from) {
      if (decides && expectsReturns(experiment, by ?? record.seats[mover]!)) game.returns(state, returns);
      else returns.fill(0);
      const decision = seen === undefined || seen === mover ? thoughts.get(ply) : undefined;
      shown.push({
        ply,
        board: boardOf(game, state, seen, { place: last, before }),
        ...(isDecision(mover) ? { mover } : {}),
        ...(next === undefined ? {} : { next }),
        ...(decision === undefined || !decides ? {} : { thought: thoughtOf(game, state, decision, returns) }),
      });
    }
    if (!decides) continue;
    game.copy(state, before);
    last = next;
  }
  return shown;
}

/** The board of a stored game before a ply, as a seat sees it, with the move before it. */
export function boardAt(game: Game<unknown>, record: StoredGame, ply: number, seen?: number): Board {
  const before = game.initial();
  let place: BoardPlace | undefined;
  for (const at of statesOf(game, record)) {
    const { mover, state } = at;
    if (at.ply >= Math.min(ply, record.actions.length)) return boardOf(game, state, seen, { place, before });
    if (!isDecision(mover)) continue;
    const action = record.actions[at.ply]!;
    const hidden = seen !== undefined && isHidden(game.information, state, action, seen);
    game.copy(state, before);
    place = hidden ? undefined : game.drawing.place?.(state, action);
  }
  return boardOf(game, before, seen);
}

function thoughtOf(
  game: Game<unknown>,
  state: unknown,
  decision: ShownDecision,
  earned: Float64Array,
): ThoughtShown {
  const { action, legal, loss, moves, opinion, values, visits } = decision;
  return {
    legal,
    visits,
    values: values.map((value, seat) => finiteOrNull(value + earned[seat]!)),
    ...(opinion === undefined
      ? {}
      : {
          net: {
            values: opinion.values.map((value, seat) => finiteOrNull(value + earned[seat]!)),
            rank: opinion.rank,
          },
        }),
    ...(loss === undefined ? {} : { loss }),
    moves: moves.map((move) => {
      const place = game.drawing.place?.(state, move.action);
      const value =
        visits === 0 || move.visits > 0 ? finiteOrNull(move.value + earned[decision.seat]!) : null;
      return {
        move: game.notation.format(state, move.action),
        ...(place === undefined ? {} : { place }),
        visits: move.visits,
        ...(Number.isNaN(move.prior) ? {} : { prior: move.prior }),
        ...(value === null ? {} : { value }),
        played: move.action === action,
      };
    }),
  };
}
