import type { AnalysedDecision, AnalysedMove } from "../../formats/game-analyses.ts";
import { CHANCE, type Game, OVER } from "../../games/game.ts";
import { opinionOf } from "../../operators/play/analysed-search.ts";
import type { NetView, SessionAgent } from "../../protocols/session-agent.ts";
import { Random } from "../../random.ts";

/** The agent that analyses, and its settings. */
export interface Analyst {
  /** Its search gives values: `best` is not `any`. */
  readonly agent: SessionAgent;
  /** All draws follow from it: a position after n plies is searched with the stream (seed, "analyse", n). */
  readonly seed: number;
  /** The greatest number of moves that the analysis of a ply lists, the best and the played one included; 2 or more. */
  readonly moves: number;
}

/** A position of a game in which a player moves. */
export interface DecisionPosition {
  readonly state: unknown;
  /** The number of plies before it, chance included. */
  readonly ply: number;
  /** The number of decisions before it. */
  readonly decisions: number;
}

/**
 * The analysis of one decision of a game. The first of its moves is the best one. Values are NaN if the search has not
 * looked at the position, because there is only one move, and if it has proved none in its time.
 */
export interface PlyAnalysis extends AnalysedDecision {
  /**
   * By how much the expected return of the mover is less after the played move than after the best move; 0 if the played
   * move is the best one. Less than 0 if the searches found the played move better after all. Undefined if the search
   * did not try the played move, or does not know its value.
   */
  readonly loss: number | undefined;
  /** Whether a search by visits had fewer simulations than `SIMULATIONS_A_MOVE` for each legal move. */
  readonly uncertain: boolean;
}

/** With fewer simulations for each legal move than these, losses may be chance. */
export const SIMULATIONS_A_MOVE = 4;

/** What a search found at one position. */
export interface Thought {
  readonly action: number;
  readonly values: readonly number[];
  /** The legal actions; beside each its visits and its value for the mover. */
  readonly actions: Int32Array;
  readonly visits: Float64Array;
  readonly actionValues: Float64Array;
  /** What the analyst's net says of the position without search; absent without a net that has a policy. */
  readonly net?: NetView;
}

/**
 * Analyses one decision: searches its position, and finds what the played move loses against the best one.
 *
 * How the two moves are compared depends on the search. A search by values (`best: "value"`) values every legal move,
 * and these values are compared. A search by visits looks at poor moves only for a moment. So it searches the two
 * positions after the moves as well, both with the same stream, and the values of these positions are compared, with
 * the rewards of the moves. If chance moves next, or the game has hidden information, the values of the moves in the
 * one search are compared.
 *
 * `known` is the thought at this position, if another analysis has returned it. The thought at the position after the
 * played move is returned as `next`, if it was needed. Neither changes the result.
 */
export function analysePly(
  game: Game<unknown>,
  analyst: Analyst,
  position: DecisionPosition,
  action: number,
  known?: Thought,
): { readonly analysis: PlyAnalysis; readonly next?: Thought } {
  const { agent, moves } = analyst;
  const thought = known ?? think(analyst, position);
  const seat = game.toMove(position.state);
  const { actions, net, values, visits } = thought;
  const simulations = Math.round(visits.reduce((sum, count) => sum + count, 0));
  const few = simulations < SIMULATIONS_A_MOVE * actions.length;
  const analysis = (loss: number | undefined): PlyAnalysis => ({
    ply: position.ply,
    seat,
    action,
    legal: actions.length,
    visits: simulations,
    values,
    ...(net === undefined ? {} : { opinion: opinionOf(net.values, net.priors, { action, actions }, []) }),
    moves: bestMoves(thought, action, agent.best, moves),
    loss,
    uncertain: agent.best === "visits" && actions.length > 1 && few,
  });
  const proved = agent.best !== "value" || !Number.isNaN(values[seat]);
  if (action === thought.action) return { analysis: analysis(proved ? 0 : undefined) };
  if (agent.best === "visits" && game.information === undefined) {
    const played = lookAfter(game, analyst, position, action);
    const best = lookAfter(game, analyst, position, thought.action);
    if (played !== undefined && best !== undefined)
      return {
        analysis: analysis(best.value - played.value),
        ...(played.thought === undefined ? {} : { next: played.thought }),
      };
  }
  const valueOf = (move: number) => {
    const at = actions.indexOf(move);
    return agent.best === "value" || visits[at]! > 0 ? thought.actionValues[at]! : NaN;
  };
  const loss = valueOf(thought.action) - valueOf(action);
  return { analysis: analysis(Number.isNaN(loss) ? undefined : loss) };
}

/** Searches a position; the result is the caller's to keep. Values are NaN if a search by visits has made none. */
function think({ agent, seed }: Analyst, { state, ply, decisions }: DecisionPosition): Thought {
  const net = agent.netView?.(state);
  const { action, values, actions, visits, actionValues } = agent.decide(
    state,
    Random.named(seed, "analyse", ply),
    decisions,
  );
  const looked = agent.best !== "visits" || visits.some((count) => count > 0);
  return {
    action,
    values: looked ? [...values] : values.map(() => NaN),
    actions: actions.slice(),
    visits: visits.slice(),
    actionValues: looked ? actionValues.slice() : actionValues.map(() => NaN),
    ...(net === undefined ? {} : { net }),
  };
}

/**
 * The expected return of the mover from a position on if it plays this move, by a search of the position after the move;
 * and the thought of that search, unless the game is over there. Undefined if chance moves next, or if the search
 * has not simulated because there is only one move.
 */
function lookAfter(
  game: Game<unknown>,
  analyst: Analyst,
  { state, ply, decisions }: DecisionPosition,
  action: number,
): { readonly value: number; readonly thought?: Thought } | undefined {
  const seat = game.toMove(state);
  const after = game.initial();
  game.copy(state, after);
  game.play(after, action);
  const next = game.toMove(after);
  if (next === CHANCE) return undefined;
  const { valued } = analyst.agent;
  const [before, now] = [new Float64Array(game.players), new Float64Array(game.players)];
  valued.returns(state, before);
  valued.returns(after, now);
  const reward = now[seat]! - before[seat]!;
  if (next === OVER) return { value: reward };
  const thought = think(analyst, { state: after, ply: ply + 1, decisions: decisions + 1 });
  if (Number.isNaN(thought.values[seat])) return undefined;
  return { value: reward + thought.values[seat]!, thought };
}

/** The best move first, then the others by visits or values; the played move is always among them. */
function bestMoves(
  { action: best, actions, net, visits, actionValues }: Thought,
  played: number,
  by: SessionAgent["best"],
  most: number,
): AnalysedMove[] {
  // Values that the search does not know come last.
  const known = actionValues.map((value) => (Number.isNaN(value) ? -Infinity : value));
  const [first, second] = by === "value" ? [known, visits] : [visits, known];
  const order = Array.from(actions, (_, i) => i).sort(
    (a, b) =>
      Number(actions[b] === best) - Number(actions[a] === best) ||
      first[b]! - first[a]! ||
      second[b]! - second[a]! ||
      a - b,
  );
  const kept = order.slice(0, most);
  const at = actions.indexOf(played);
  if (!kept.includes(at)) kept[kept.length - 1] = at;
  return kept.map((i) => ({
    action: actions[i]!,
    visits: Math.round(visits[i]!),
    prior: net?.priors[i] ?? NaN,
    value: actionValues[i]!,
  }));
}
