import type { AnalysedDecision } from "../../../formats/game-analyses.ts";
import type { ExpectationCurve, TurningPoint } from "../../views/game-views.ts";

/** A decision: what its player expected for each seat, and the moves that it valued. */
export interface ValuedDecision {
  /** The index of the step. */
  readonly step: number;
  readonly seat: number;
  /** By seat, from here on; undefined or NaN: not known. */
  readonly values?: ArrayLike<number>;
  /** What its seat had earned before: games of one player give the sum. */
  readonly earned: number;
  readonly thought?: Pick<AnalysedDecision, "action" | "moves" | "visits">;
  /** By an analysis: what the move loses; a search of both positions. */
  readonly loss?: number;
}

/** The most turning points that a page gets. */
const MOST = 20;
/** A drop by a smaller part of all that its player's expectation moved in the game is none: the text of it would be 0.00. */
const LEAST_DROP = 0.01;
/** Moves with a smaller share of the most visited one's visits have values that are chance. */
const LEAST_VISITS = 0.1;

/** By seat: what each player expected for itself, at its own decisions. */
export function expectationCurves(
  decisions: readonly ValuedDecision[],
  unit: (seat: number) => string,
): ExpectationCurve[] {
  const bySeat = [...Map.groupBy(decisions, ({ seat }) => seat)].toSorted(([a], [b]) => a - b);
  return bySeat.flatMap(([seat, own]) => {
    const points = own.flatMap((decision) => {
      const value = expectation(decision);
      return value === undefined ? [] : [[decision.step, value] as const];
    });
    // Players without estimates record zeros throughout.
    return points.length < 2 || points.every(([, value]) => value === 0)
      ? []
      : [{ seat, unit: unit(seat), points }];
  });
}

function expectation({ earned, seat, values }: ValuedDecision): number | undefined {
  const value = values?.[seat];
  return value === undefined || !Number.isFinite(value) ? undefined : earned + value;
}

/**
 * The decisions after which a player expected less for itself at its next one, the largest drops first. `choice` is how much of
 * a drop the played move cost against the best one that the player valued, at most all of it.
 */
export function turningPoints(decisions: readonly ValuedDecision[]): TurningPoint[] {
  const bySeat = Map.groupBy(decisions, ({ seat }) => seat);
  const drops = [...bySeat.values()].flatMap((own) => {
    const known = own.flatMap((decision) => expectation(decision) ?? []);
    const least =
      LEAST_DROP *
      (known.reduce((a, b) => Math.max(a, b), -Infinity) - known.reduce((a, b) => Math.min(a, b), Infinity));
    return own.flatMap((decision, i): TurningPoint[] => {
      const [now, next] = [expectation(decision), own[i + 1] && expectation(own[i + 1]!)];
      if (now === undefined || next === undefined || now - next <= least) return [];
      const drop = now - next;
      const cost = decision.loss ?? choiceCost(decision.thought);
      return [
        {
          step: decision.step,
          seat: decision.seat,
          drop,
          ...(cost === undefined ? {} : { choice: Math.min(drop, Math.max(0, cost)) }),
        },
      ];
    });
  });
  return drops.toSorted((a, b) => b.drop - a.drop || a.step - b.step).slice(0, MOST);
}

/** The best move's value less the played one's; undefined if the search gave the played move no value. */
function choiceCost(thought: ValuedDecision["thought"]): number | undefined {
  if (thought === undefined) return undefined;
  const { action, moves, visits } = thought;
  const valued = moves.filter((move) => visits === 0 || move.visits > 0);
  const played = valued.find((move) => move.action === action);
  if (played === undefined) return undefined;
  const most = Math.max(...valued.map((move) => move.visits));
  const sure = valued.filter((move) => move.visits >= LEAST_VISITS * most);
  return Math.max(played.value, ...sure.map(({ value }) => value)) - played.value;
}
