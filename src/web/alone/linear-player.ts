import type { EvaluationRequest } from "../../games/evaluation.ts";
import { type Game, OVER } from "../../games/game.ts";
import { playedFor } from "../../games/outcome.ts";
import { Random } from "../../random.ts";
import { Expectimax } from "../../search/depth-first/expectimax.ts";
import { drive } from "../../search/drive.ts";

/** Chooses the move of a position: the best one by a linear value function and a search of `plies` plies beyond it. */
export function linearPlayer<S>(
  game: Game<S>,
  weights: readonly number[],
  plies: number,
): (state: S) => number {
  const features = game.linear!.features!;
  const row = new Float64Array(features.names.length);
  const evaluator = {
    evaluate({ count, states, values }: EvaluationRequest<S>) {
      for (let i = 0; i < count; i++) {
        const state = states[i]!;
        let value = 0;
        if (game.toMove(state) !== OVER) {
          features.write(state, 0, row);
          for (let k = 0; k < row.length; k++) value += row[k]! * weights[k]!;
          values[2 * i + 1] = 1 - value;
        } else values[2 * i + 1] = 0;
        values[2 * i] = value;
      }
    },
  };
  const search = new Expectimax(playedFor(game, "win-share"), plies, { downgrade: null });
  return (state) => drive(search.search(state, Random.named("alone"), 0), evaluator).action;
}
