import { CHANCE, type Game } from "../../games/game.ts";
import type { Example } from "./position-examples.ts";

/** One decision of a finished game, as lambda-returns need it. */
export interface DecisionTrace {
  /** Where the decision stands in the list of actions. */
  readonly ply: number;
  /** What the agent expected each seat to earn from here on. */
  readonly values: readonly number[];
  /** Its visits by action, for policy targets. */
  readonly actions: Int32Array;
  readonly visits: Float64Array;
}

/**
 * Examples along the moves really played, with lambda-returns.
 *
 * With D_t the value that the agent found at its decision t, R_t what was earned before it, and decisions 0..T-1:
 * G_t = (1 - lambda) D_t + lambda (r_t + G_{t+1}), G_T = 0, r_t = R_{t+1} - R_t. Where chance moves after a decision
 * the position learned is the afterstate and its target is G_{t+1}; elsewhere it is the position decided in, with
 * target r_t + G_{t+1}, and its visits as policy.
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
  const positions: { state: S; after: boolean; earned: number[] }[] = [];
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
    positions.push({ state: position, after, earned: [...scratch] });
  }
  game.returns(state, scratch);
  const examples: Example<S>[] = [];
  let earnedNext = [...scratch];
  let onward = scratch.map(() => 0);
  for (let t = positions.length - 1; t >= 0; t--) {
    const { state: position, after, earned } = positions[t]!;
    const trace = decisions[t]!;
    const whole = onward.map((value, seat) => earnedNext[seat]! - earned[seat]! + value);
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
    earnedNext = earned;
  }
  return examples.toReversed();
}

function normalised(visits: Float64Array): Float64Array {
  const total = visits.reduce((sum, count) => sum + count, 0);
  return visits.map((count) => count / total);
}
