import { CHANCE, type Game } from "../../../games/game.ts";
import type { Example } from "./position-examples.ts";

/** One decision of a finished game, as it is needed for lambda-returns. */
export interface DecisionTrace {
  /** Index of the decision in the list of actions. */
  readonly ply: number;
  /** The value that the agent found: the expected return of each seat from here on. */
  readonly values: readonly number[];
  /** The visits of the legal actions, for policy targets. */
  readonly actions: Int32Array;
  readonly visits: Float64Array;
}

/**
 * Examples along the moves of the game played, with lambda-returns as targets.
 *
 * For the decisions t = 0..T-1, let D_t be the value that the agent found and R_t the score before the decision. Then
 * G_t = (1 - lambda) D_t + lambda (r_t + G_{t+1}), with G_T = 0 and the reward r_t = R_{t+1} - R_t. If chance moves after a
 * decision, the example is the afterstate with the target G_{t+1}. Otherwise it is the position of the decision, with the
 * target r_t + G_{t+1} and its visits as policy.
 */
export function lambdaExamples<S>(
  game: Game<S>,
  actions: ArrayLike<number>,
  decisions: readonly DecisionTrace[],
  lambda: number,
): Example<S>[] {
  const seats = game.players;
  const scratch = new Float64Array(seats);
  const state = game.initial();
  const positions: { state: S; after: boolean; scores: number[] }[] = [];
  let next = 0;
  for (let ply = 0; ply < actions.length; ply++) {
    const decided = next < decisions.length && decisions[next]!.ply === ply;
    if (!decided) {
      game.play(state, actions[ply]!);
      continue;
    }
    next++;
    const position = game.initial();
    game.copy(state, position);
    game.returns(state, scratch);
    game.play(state, actions[ply]!);
    const after = game.toMove(state) === CHANCE;
    if (after) game.copy(state, position);
    positions.push({ state: position, after, scores: [...scratch] });
  }
  game.returns(state, scratch);
  const examples: Example<S>[] = [];
  let nextScores = [...scratch];
  let onward = scratch.map(() => 0);
  for (let t = positions.length - 1; t >= 0; t--) {
    const { state: position, after, scores } = positions[t]!;
    const trace = decisions[t]!;
    const whole = onward.map((value, seat) => nextScores[seat]! - scores[seat]! + value);
    examples.push(
      after
        ? { state: position, values: [...onward] }
        : {
            state: position,
            values: [...whole],
            policy: { actions: trace.actions, weights: normalised(trace.visits) },
          },
    );
    onward = whole.map((value, seat) => (1 - lambda) * trace.values[seat]! + lambda * value);
    nextScores = scores;
  }
  return examples.toReversed();
}

function normalised(visits: Float64Array): Float64Array {
  const total = visits.reduce((sum, count) => sum + count, 0);
  return visits.map((count) => count / total);
}
