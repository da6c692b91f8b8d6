import type { EvaluationRequest } from "../../../games/evaluation.ts";
import { type Game, OVER } from "../../../games/game.ts";
import type { Requesting } from "../../../search/drive.ts";
import type { DecisionTrace } from "../examples/lambda-examples.ts";

/** Number of positions in a request. */
const BATCH = 64;

/**
 * Copies of the decisions of a finished game with values of a net in place of the values of the search. The value of a
 * decision is the reward of the action played plus the net's value of the next position (of the afterstate if chance
 * moves next; 0 if the game is over). Yields its requests for `evaluator`.
 */
export function* valuedByNet<S, D extends DecisionTrace>(
  game: Game<S>,
  actions: ArrayLike<number>,
  decisions: readonly D[],
  evaluator: number,
): Requesting<S, D[]> {
  const seats = game.players;
  const valued: D[] = [];
  const request: EvaluationRequest<S> & { readonly states: S[] } = {
    states: [],
    count: 0,
    values: new Float64Array(BATCH * seats),
  };
  /** For each position of the request, the index of its decision in `valued`. */
  const waiting: number[] = [];
  const state = game.initial();
  const before = new Float64Array(seats);
  const after = new Float64Array(seats);
  for (let ply = 0; ply < actions.length; ply++) {
    const decision = decisions[valued.length];
    if (decision?.ply !== ply) {
      game.play(state, actions[ply]!);
      continue;
    }
    game.returns(state, before);
    game.play(state, actions[ply]!);
    game.returns(state, after);
    valued.push({ ...decision, values: Array.from(after, (score, seat) => score - before[seat]!) });
    if (game.toMove(state) === OVER) continue;
    game.copy(state, (request.states[request.count] ??= game.initial()));
    waiting[request.count++] = valued.length - 1;
    if (request.count === BATCH) yield* evaluate();
  }
  if (request.count > 0) yield* evaluate();
  return valued;

  function* evaluate(): Requesting<S, void> {
    yield { evaluator, request };
    for (let i = 0; i < request.count; i++) {
      const decision = valued[waiting[i]!]!;
      const values = decision.values.map((reward, seat) => reward + request.values[i * seats + seat]!);
      valued[waiting[i]!] = { ...decision, values };
    }
    request.count = 0;
  }
}
