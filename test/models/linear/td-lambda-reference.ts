import { type Game, OVER } from "../../../src/games/game.ts";
import type { LearnerOptions } from "../../../src/models/tables.ts";
import type { Random } from "../../../src/random.ts";

/** What the slow learner has learned: theta, and from how many games. */
export interface ReferenceLearning {
  theta: number[];
  games: number;
}

/**
 * One game of TD(lambda) for two players, written as the source's formulas stand, on plain lists, everything worked out
 * anew whenever it is needed. Returns the actions; changes `learning`.
 */
export function referenceGame<S>(
  game: Game<S>,
  learning: ReferenceLearning,
  { lambda, step, decay, traces }: LearnerOptions,
  random: Random,
  opening: readonly number[],
  epsilon: number,
): number[] {
  const gamma = 1;
  learning.games++;
  const alpha =
    decay === undefined ? step.rate : (step.rate * (decay + 1)) / (decay + Math.pow(learning.games, 1.1));
  const actions: number[] = [];
  let s = game.initial();
  let e = learning.theta.map(() => 0);
  while (game.toMove(s) !== OVER) {
    const legal = legalOf(game, s);
    const worth = legal.map((action) => {
      const next = played(game, s, action);
      return reward(game, next) + gamma * valueOf(game, learning.theta, next);
    });
    const best = game.toMove(s) === 0 ? Math.max(...worth) : Math.min(...worth);
    const greedy = legal[worth.indexOf(best)]!;
    let action = greedy;
    if (actions.length < opening.length) action = opening[actions.length]!;
    else if (epsilon > 0 && random.float() < epsilon) action = legal[random.below(legal.length)]!;
    const next = played(game, s, action);
    if (action !== greedy && traces !== "keep") e = e.map(() => 0);
    else {
      const delta =
        reward(game, next) + gamma * valueOf(game, learning.theta, next) - valueOf(game, learning.theta, s);
      const gradient = featuresOf(game, s);
      e = e.map((trace, i) => gamma * lambda * trace + gradient[i]!);
      learning.theta = learning.theta.map((weight, i) => weight + alpha * delta * e[i]!);
    }
    actions.push(action);
    s = next;
  }
  return actions;
}

/** r: 1, .5 or 0 to the first player when the game is over, nothing before. */
function reward<S>(game: Game<S>, state: S): number {
  if (game.toMove(state) !== OVER) return 0;
  const returns = new Float64Array(2);
  game.returns(state, returns);
  if (returns[0] === returns[1]) return 0.5;
  return returns[0]! > returns[1]! ? 1 : 0;
}

function valueOf<S>(game: Game<S>, theta: readonly number[], state: S): number {
  if (game.toMove(state) === OVER) return 0;
  return featuresOf(game, state).reduce((sum, feature, i) => sum + theta[i]! * feature, 0);
}

function featuresOf<S>(game: Game<S>, state: S): number[] {
  const row = new Float64Array(game.linear!.features!.names.length);
  game.linear!.features!.write(state, 0, row);
  return [...row];
}

function legalOf<S>(game: Game<S>, state: S): number[] {
  const legal = new Int32Array(game.maxLegal);
  return [...legal.subarray(0, game.legal(state, legal))];
}

function played<S>(game: Game<S>, state: S, action: number): S {
  const next = game.initial();
  game.copy(state, next);
  game.play(next, action);
  return next;
}

/** The first moves of a game, drawn among the legal ones. */
export function someOpening(game: Game<any>, plies: number, random: Random): number[] {
  const state = game.initial();
  const legal = new Int32Array(game.maxLegal);
  return Array.from({ length: plies }, () => {
    const action = legal[random.below(game.legal(state, legal))]!;
    game.play(state, action);
    return action;
  });
}
