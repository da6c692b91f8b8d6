import { NumberUnsound } from "../messages/number-unsound.ts";
import { allFinite } from "./all-finite.ts";
import type { Evaluator } from "./evaluation.ts";
import type { Game } from "./game.ts";
import { positionForMessage } from "./position-text.ts";

/** The evaluator, whose values are judged: it throws NumberUnsound if one is NaN or infinite. `called` names it. */
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
