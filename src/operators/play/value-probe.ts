import type { EvaluationRequest } from "../../games/evaluation.ts";
import { type Game, OVER } from "../../games/game.ts";
import { startOfGame } from "../../games/position-text.ts";
import type { Random } from "../../random.ts";
import { firstBest } from "../../search/choice/decision-buffer.ts";
import type { Requesting } from "../../search/drive.ts";
import type { EpisodeDecision } from "../../search/episode.ts";
import { forecastRange } from "./forecast-tally.ts";

/** The evaluations of a probe are about this share of those of the games' searches. */
const SHARE = 1 / 400;

/** Number of positions in a request. */
const BATCH = 64;

/** A difference in value of this part of the range of values makes a move e times as likely. */
const VALUE_TEMPERATURE = 0.025;

/** What a net by itself says of a decision, beside what its search and its own play made of it. */
export interface ValueProbe {
  readonly decision: EpisodeDecision;
  /**
   * Nats by which the move that the search judges best is likelier by the values of the positions after each legal move than by
   * the policy: above 0 the values know what the policy does not.
   */
  readonly gain: number;
  /**
   * Squared difference of the value for the mover and the result, in units of the range of values, if from here on every player
   * makes the likeliest move of the policy.
   */
  readonly greedyError: number;
}

/** A finished game, and the net that played it. */
export interface ProbedGame<S> {
  readonly game: Game<S>;
  readonly actions: ArrayLike<number>;
  /** The decisions that are learned from, in order. */
  readonly decisions: readonly EpisodeDecision[];
  /** The text of the position that the game begins with, if the rules have another one. */
  readonly start: string | undefined;
  /** Positions that its searches had evaluated. */
  readonly evaluations: number;
  /** The numbers of the evaluators of priors and of values. */
  readonly policy: number;
  readonly value: number;
}

/**
 * Looks more closely at one decision of some games, drawn so that it costs a small share of the searches' evaluations. Games of
 * chance or with hidden information are left alone: what follows a move there is no one position.
 */
export function* valueProbe<S>(played: ProbedGame<S>, random: Random): Requesting<S, ValueProbe | undefined> {
  const { actions, decisions, evaluations, game, policy, value } = played;
  if (game.chance !== undefined || game.information !== undefined) return undefined;
  if (!game.returnBounds.every(Number.isFinite)) return undefined;
  const choices = decisions.filter((decision) => decision.learn && decision.actions.length > 1);
  if (choices.length === 0) return undefined;
  const decision = choices[random.below(choices.length)]!;
  const legal = decision.actions.length;
  // At most two evaluations of the position itself, one after each legal move, and one for each ply that follows.
  const cost = 2 + legal + actions.length - decision.ply;
  if (random.float() * cost >= SHARE * evaluations) return undefined;

  const range = forecastRange(game);
  const root = startOfGame(game, played.start);
  for (let ply = 0; ply < decision.ply; ply++) game.play(root, actions[ply]!);
  const before = scoreOf(game, root, decision.seat);
  const best = firstBest(decision.policy);
  const request: EvaluationRequest<S> & { readonly states: S[] } = {
    states: [],
    count: 0,
    values: new Float64Array(BATCH * game.players),
  };

  /** The values of the positions after each legal move. */
  const values = new Float64Array(legal);
  for (let first = 0; first < legal; first += BATCH) {
    const places: number[] = [];
    for (let i = first; i < Math.min(legal, first + BATCH); i++) {
      const after = (request.states[places.length] ??= game.initial());
      game.copy(root, after);
      game.play(after, decision.actions[i]!);
      values[i] = scoreOf(game, after, decision.seat) - before;
      if (game.toMove(after) !== OVER) places.push(i);
    }
    if (places.length === 0) continue;
    request.count = places.length;
    yield { evaluator: value, request };
    for (const [row, i] of places.entries())
      values[i]! += request.values[row * game.players + decision.seat]!;
  }

  const alone = { ...request, priors: new Float32Array(game.maxLegal), states: [root], count: 1 };
  yield { evaluator: policy, request: alone };
  const { priors } = alone;
  const byPolicy = Math.log(Math.max(priors[best]!, Number.MIN_VALUE));
  const gain = logSoftmax(values, best, VALUE_TEMPERATURE * range) - byPolicy;
  // The net of the policy gives values as well, and may be that of the values.
  if (value !== policy) yield { evaluator: value, request: { ...request, states: [root], count: 1 } };
  const expected = request.values[decision.seat]!;

  const buffer = new Int32Array(game.maxLegal);
  // A policy may play without end, even if its own game ended soon.
  const longest = 2 * actions.length;
  for (let ply = decision.ply; game.toMove(root) !== OVER; ply++) {
    if (ply === longest) return { decision, gain, greedyError: NaN };
    const count = game.legal(root, buffer);
    if (count > 1) yield { evaluator: policy, request: alone };
    game.play(root, buffer[count > 1 ? firstBest(priors.subarray(0, count)) : 0]!);
  }
  const result = scoreOf(game, root, decision.seat) - before;
  return { decision, gain, greedyError: ((expected - result) / range) ** 2 };
}

function scoreOf<S>(game: Game<S>, state: S, seat: number): number {
  const scores = new Float64Array(game.players);
  game.returns(state, scores);
  return scores[seat]!;
}

/** The logarithm of the probability of one number under the softmax of all. */
function logSoftmax(values: Float64Array, chosen: number, temperature: number): number {
  const most = values.reduce((one, other) => Math.max(one, other));
  const sum = values.reduce((all, each) => all + Math.exp((each - most) / temperature), 0);
  return (values[chosen]! - most) / temperature - Math.log(sum);
}
