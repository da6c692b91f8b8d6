import { CHANCE, type Game, OVER } from "../../../src/games/game.ts";

/** The settings of the slow searches: how positions are valued, and what seats maximise. */
export interface Problem {
  readonly value: string;
  readonly payoff: "own" | "margin";
}

/** What a slow search says of each root move, in the order of `legal`, for the mover. */
export type ActionValues = number[];

/** Max-n by its definition, nothing cut. */
export function maxNWorths<S>(game: Game<S>, state: S, depth: number, problem: Problem): ActionValues {
  const mover = game.toMove(state);
  return legalMoves(game, state).map(
    (action) => maxNVector(game, after(game, state, action), depth - 1, problem)[mover]!,
  );
}

/** The payoff vector of a position by max-n. */
export function maxNVector<S>(game: Game<S>, state: S, depth: number, problem: Problem): number[] {
  const mover = game.toMove(state);
  if (mover === OVER || depth === 0) return payoffs(game, state, problem);
  if (mover === CHANCE) {
    const mean = Array.from({ length: game.players }, () => 0);
    for (const [action, probability] of outcomes(game, state))
      for (const [seat, payoff] of maxNVector(game, after(game, state, action), depth, problem).entries())
        mean[seat]! += probability * payoff;
    return mean;
  }
  let best: number[] | undefined;
  for (const action of inOrder(game, legalMoves(game, state))) {
    const vector = maxNVector(game, after(game, state, action), depth - 1, problem);
    if (best === undefined || vector[mover]! > best[mover]!) best = vector;
  }
  return best!;
}

/** Paranoid by its definition: plain minimax of the root's seat against all others. */
export function paranoidWorths<S>(game: Game<S>, state: S, depth: number, problem: Problem): ActionValues {
  const root = game.toMove(state);
  const value = (position: S, plies: number): number => {
    const mover = game.toMove(position);
    if (mover === OVER || plies === 0) return payoffs(game, position, problem)[root]!;
    if (mover === CHANCE)
      return outcomes(game, position).reduce(
        (sum, [action, probability]) => sum + probability * value(after(game, position, action), plies),
        0,
      );
    const all = legalMoves(game, position).map((action) => value(after(game, position, action), plies - 1));
    return mover === root ? Math.max(...all) : Math.min(...all);
  };
  return legalMoves(game, state).map((action) => value(after(game, state, action), depth - 1));
}

/** Best-reply by its definition: layers of the root's seat and of one of its opponents, whichever hurts most. */
export function bestReplyWorths<S>(game: Game<S>, state: S, depth: number, problem: Problem): ActionValues {
  const root = game.toMove(state);
  const moving = (position: S, seat: number): S | undefined => {
    const turned = after(game, position);
    return game.search!.passTo!(turned, seat) ? turned : undefined;
  };
  const layer = (position: S, own: boolean): S[] =>
    Array.from({ length: game.players }, (_, seat) => seat)
      .filter((seat) => (seat === root) === own)
      .map((seat) => moving(position, seat))
      .filter((turned) => turned !== undefined);
  const value = (position: S, plies: number, own: boolean): number => {
    const mover = game.toMove(position);
    if (mover === OVER || plies === 0) return payoffs(game, position, problem)[root]!;
    if (mover === CHANCE)
      return outcomes(game, position).reduce(
        (sum, [action, probability]) => sum + probability * value(after(game, position, action), plies, own),
        0,
      );
    let turn = own;
    let turned = layer(position, turn);
    if (turned.length === 0) {
      turn = !own;
      turned = layer(position, turn);
    }
    const all = turned.flatMap((from) =>
      legalMoves(game, from).map((action) => value(after(game, from, action), plies - 1, !turn)),
    );
    return turn ? Math.max(...all) : Math.min(...all);
  };
  return legalMoves(game, state).map((action) => value(after(game, state, action), depth - 1, false));
}

/** The first best of some worths in the order of moves. */
export function firstInOrder<S>(game: Game<S>, state: S, actionValues: ActionValues): number {
  const legal = legalMoves(game, state);
  const best = Math.max(...actionValues);
  return inOrder(game, legal).find((action) => actionValues[legal.indexOf(action)] === best)!;
}

/** The legal actions of a position, or its chance outcomes. */
export function legalMoves<S>(game: Game<S>, state: S): number[] {
  const actions = new Int32Array(game.maxLegal);
  return [...actions.subarray(0, game.legal(state, actions))];
}

/** A copy of a position, after an action where one is given. */
export function after<S>(game: Game<S>, state: S, action?: number): S {
  const next = game.initial();
  game.copy(state, next);
  if (action !== undefined) game.play(next, action);
  return next;
}

function inOrder<S>(game: Game<S>, actions: readonly number[]): number[] {
  const preference = game.search?.preference ?? (() => 0);
  return actions.toSorted((a, b) => preference(b) - preference(a) || a - b);
}

function outcomes<S>(game: Game<S>, state: S): [action: number, probability: number][] {
  const actions = new Int32Array(game.maxLegal);
  const probabilities = new Float64Array(game.maxLegal);
  const count = game.chance!.outcomes(state, actions, probabilities);
  return Array.from({ length: count }, (_, i) => [actions[i]!, probabilities[i]!]);
}

function payoffs<S>(game: Game<S>, state: S, { value, payoff }: Problem): number[] {
  const values = new Float64Array(game.players);
  if (value === "returns") game.returns(state, values);
  else game.depthFirst!.staticEvaluations![value]!(state, values);
  const sum = values.reduce((a, b) => a + b, 0);
  // + 0: one player's margin is 0, not -0.
  return Array.from(values, (own) => (payoff === "own" ? own : (game.players - 1) * own - (sum - own) + 0));
}
