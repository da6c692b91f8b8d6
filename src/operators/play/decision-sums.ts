import type { DecisionMeans } from "../../events/event.ts";
import type { Game } from "../../games/game.ts";
import type { Episode, EpisodeDecision } from "../../search/episode.ts";
import { forecastRange } from "./forecast-tally.ts";
import { entropyOf, returnsFrom } from "./game-figures.ts";
import type { ValueProbe } from "./value-probe.ts";

/** What is added up over the decisions of a group, in this order. */
const FIELDS = [
  "decisions",
  "legal",
  "visited",
  "prior",
  "target",
  "distance",
  "tried",
  "top",
  "valueError",
  "result",
  "squaredResult",
  "drawn",
  "drawnError",
  "probes",
  "gain",
  "greedy",
  "greedyError",
] as const;

type Field = (typeof FIELDS)[number];

/** The groups of decisions: those of learned searches by third of the game, and those of a teacher. */
const GROUPS = 4;
const TEACHER = 3;

/** The numbers before those of the groups: decisions with one legal move, and all decisions. */
const FORCED = 0;
const ALL = 1;
const BEFORE_GROUPS = 2;

/** The length of {@link decisionSums}. */
export const DECISION_SUMS = BEFORE_GROUPS + GROUPS * FIELDS.length;

/** Whose decisions are added up. */
export interface LearnedDecisions {
  /** The one seat that is learned from; absent: all are. */
  readonly seat?: number | undefined;
  /** Whether a teacher plays in place of the agent that learns. */
  readonly teacher: boolean;
  /** The text of the position that the game begins with, if the rules have another one. */
  readonly start?: string | undefined;
  /** A decision that was looked at more closely. */
  readonly probe?: ValueProbe | undefined;
}

/**
 * What the decisions of a game add to the figures of its generation: see `SelfPlayFigures`. `game` gives the returns that the
 * player plays for. Sums of sums over games, in the order of the games, are those of a generation.
 */
export function decisionSums<S>(
  { actions, decisions, returns }: Pick<Episode<S>, "actions" | "decisions" | "returns">,
  game: Game<S>,
  { probe, seat, start, teacher }: LearnedDecisions,
): Float64Array {
  const sums = new Float64Array(DECISION_SUMS);
  const own = decisions.filter((decision) => seat === undefined || decision.seat === seat);
  const range = forecastRange(game);
  const drawn = isDraw(returns);
  const results = returnsFrom({ actions, decisions: own }, game, start);
  for (const [number, decision] of own.entries()) {
    sums[ALL]!++;
    if (decision.actions.length === 1) sums[FORCED]!++;
    if (decision.actions.length === 1 || !decision.learn) continue;
    const third = Math.floor((3 * decision.ply) / actions.length);
    const figures = {
      ...figuresOf(decision, decision.values[decision.seat]! / range, results[number]! / range, drawn),
      ...(probe?.decision === decision ? probeFigures(probe) : {}),
    };
    const at = BEFORE_GROUPS + (teacher ? TEACHER : third) * FIELDS.length;
    for (const [i, field] of FIELDS.entries()) sums[at + i]! += figures[field];
  }
  return sums.map((sum) => (Number.isNaN(sum) ? NaN : sum));
}

/** Whether all seats of a game of several have the same return. */
export function isDraw(returns: ArrayLike<number>): boolean {
  return returns.length > 1 && Array.from(returns).every((each) => each === returns[0]);
}

/** What one decision adds; `value` and `result` are in units of the range of values. */
function figuresOf(
  { change, policy, visits }: Pick<EpisodeDecision, "change" | "policy" | "visits">,
  value: number,
  result: number,
  drawn: boolean,
): Record<Field, number> {
  let [all, most, tried] = [0, 0, 0];
  for (const count of visits) {
    all += count;
    most = Math.max(most, count);
    if (count > 0) tried++;
  }
  return {
    decisions: 1,
    legal: Math.log(visits.length),
    // A search that does not simulate tries no move.
    visited: tried === 0 ? NaN : Math.log(tried),
    prior: change?.priorEntropy ?? NaN,
    target: entropyOf(policy),
    distance: change?.distance ?? NaN,
    tried: tried / visits.length,
    top: all === 0 ? NaN : most / all,
    valueError: (value - result) ** 2,
    result,
    squaredResult: result ** 2,
    drawn: Number(drawn),
    drawnError: drawn ? (value - result) ** 2 : 0,
    probes: 0,
    gain: 0,
    greedy: 0,
    greedyError: 0,
  };
}

function probeFigures({ gain, greedyError }: ValueProbe): Partial<Record<Field, number>> {
  const greedy = Number.isFinite(greedyError);
  return { probes: 1, gain, greedy: Number(greedy), greedyError: greedy ? greedyError : 0 };
}

/** The number of decisions with one legal move, and of all decisions. */
export function countsOf(sums: Float64Array): { readonly forced: number; readonly decisions: number } {
  return { forced: sums[FORCED]!, decisions: sums[ALL]! };
}

/** The means over the decisions of each group: those of the three thirds of the game, then those of a teacher. */
export function meansByGroup(sums: Float64Array): DecisionMeans[] {
  return Array.from({ length: GROUPS }, (_, group) => meansOf(sums, group));
}

function meansOf(sums: Float64Array, group: number): DecisionMeans {
  const at = BEFORE_GROUPS + group * FIELDS.length;
  const decisions = sums[at]!;
  const sum = (field: Field) => sums[at + FIELDS.indexOf(field)]!;
  const mean = (field: Field) => sum(field) / decisions;
  return {
    decisions,
    legal: mean("legal"),
    visited: mean("visited"),
    prior: mean("prior"),
    target: mean("target"),
    distance: mean("distance"),
    tried: mean("tried"),
    top: mean("top"),
    valueError: mean("valueError"),
    constantError: Math.max(0, mean("squaredResult") - mean("result") ** 2),
    drawn: sum("drawn"),
    drawnError: sum("drawnError") / sum("drawn"),
    decidedError: (sum("valueError") - sum("drawnError")) / (decisions - sum("drawn")),
    probes: sum("probes"),
    gain: sum("gain") / sum("probes"),
    greedyError: sum("greedyError") / sum("greedy"),
  };
}
