import { NumberUnsound } from "../messages/number-unsound.ts";
import type { Evaluator } from "./evaluation.ts";
import type { Game } from "./game.ts";

/** Most characters of a position in a message. */
const LONGEST = 1000;

/** Whether none of the numbers from `from` to `to` is NaN or infinite: then their sum is neither. */
export function allFinite(numbers: ArrayLike<number>, from: number, to: number): boolean {
  let sum = 0;
  // The difference of an infinite number and itself is NaN. That of finite numbers adds nothing, so that no sum overflows.
  for (let i = from; i < to; i++) sum += numbers[i]! - numbers[i]!;
  return sum === 0;
}

/** A position for a message: its text, or its moves' end where the game cannot write it. */
export function positionForMessage<S>(game: Game<S>, state: S): string {
  let text: string;
  try {
    text = game.notation.position(state);
  } catch (error) {
    return `a position that ${game.name} cannot write (${(error as Error).message})`;
  }
  return `the position ${text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}...`}`;
}

/** The evaluator, whose values are judged: it throws NumberUnsound where one is NaN or infinite. `called` names it. */
export function judgedEvaluator<S>(game: Game<S>, evaluator: Evaluator<S>, called: string): Evaluator<S> {
  const { players } = game;
  return {
    evaluate(request) {
      evaluator.evaluate(request);
      const { count, states, values } = request;
      // It has valued nothing yet.
      if ((request.chancePlies ?? 0) > 0) return;
      if (allFinite(values, 0, count * players)) return;
      for (let at = 0; at < count * players; at++)
        if (!Number.isFinite(values[at]!))
          throw new NumberUnsound(
            `${called} gives ${values[at]} as the value of seat ${at % players} in ${positionForMessage(game, states[Math.floor(at / players)]!)}: learning has diverged, or its weights are damaged; start from an earlier checkpoint, and learn with a lower rate`,
          );
    },
  };
}
