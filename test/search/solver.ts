import { CHANCE, type Game, OVER } from "../../src/games/game.ts";

/** The return of each seat from a state on under best play (max-n; the first best action), by exhaustion. */
export function solve<S>(game: Game<S>, state: S): number[] {
  const mover = game.toMove(state);
  if (mover === OVER) return Array.from({ length: game.players }, () => 0);
  const successors = actionValues(game, state);
  if (mover !== CHANCE)
    return successors.reduce((best, candidate) => (candidate[mover]! > best[mover]! ? candidate : best));
  const probabilities = new Float64Array(game.maxLegal);
  game.chance!.outcomes(state, new Int32Array(game.maxLegal), probabilities);
  return successors[0]!.map((_, seat) =>
    successors.reduce((sum, actionValue, i) => sum + probabilities[i]! * actionValue[seat]!, 0),
  );
}

/** For each legal action (or outcome): its Q for each seat. */
export function actionValues<S>(
  game: Game<S>,
  state: S,
  onward: (state: S) => number[] = (next) => solve(game, next),
): number[][] {
  const actions = new Int32Array(game.maxLegal);
  const count = game.legal(state, actions);
  const before = new Float64Array(game.players);
  const after = new Float64Array(game.players);
  return Array.from(actions.slice(0, count), (action) => {
    const next = game.initial();
    game.copy(state, next);
    game.play(next, action);
    game.returns(state, before);
    game.returns(next, after);
    return onward(next).map((value, seat) => value + after[seat]! - before[seat]!);
  });
}

/** The returns of the whole game in all equilibria that max-n can end in: in any choice among equals. Without chance. */
export function equilibria<S>(game: Game<S>, state: S): number[][] {
  const mover = game.toMove(state);
  if (mover === OVER) {
    const returns = new Float64Array(game.players);
    game.returns(state, returns);
    return [[...returns]];
  }
  const legal = new Int32Array(game.maxLegal);
  const below = Array.from(legal.subarray(0, game.legal(state, legal)), (action) => {
    const next = game.initial();
    game.copy(state, next);
    game.play(next, action);
    return equilibria(game, next);
  });
  const least = below.map((vectors) => Math.min(...vectors.map((vector) => vector[mover]!)));
  const found = new Map<string, number[]>();
  // A move is best in some equilibrium when every other move can turn out no better.
  for (const [i, vectors] of below.entries())
    for (const vector of vectors)
      if (least.every((value, j) => j === i || value <= vector[mover]!)) found.set(vector.join(), vector);
  return [...found.values()];
}
