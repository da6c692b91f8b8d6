/** Plays the move after which the net values the position most, and now and then any move. */
import { defineSearch, number } from "ludoflow";

export default defineSearch({
  name: "one-ply",
  description: "The move after which the net values the position most; with probability epsilon any move.",
  options: {
    epsilon: number({ min: 0, max: 1, default: 0, description: "Probability of a move drawn at random." }),
  },
  needs: { values: true },
  create: (game, { epsilon }, tools) => ({
    *search(state, random) {
      const moves = tools.legal(state);
      const mover = game.toMove(state);
      const { values } = yield* tools.evaluate(Array.from(moves, (move) => tools.after(state, move)));
      const actionValues = Array.from(moves, (_, i) => values[i * game.players + mover]!);
      let best = actionValues.indexOf(Math.max(...actionValues));
      if (epsilon > 0 && random.float() < epsilon) best = random.below(moves.length);
      return tools.decide(state, {
        action: moves[best]!,
        values: values.subarray(best * game.players, (best + 1) * game.players),
        actionValues,
      });
    },
  }),
});
