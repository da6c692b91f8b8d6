import type { Game } from "../../games/game.ts";
import { Type } from "../../schema.ts";
import { DecisionBuffer } from "../choice/decision-buffer.ts";
import { drawByTemperature } from "../choice/draw-by-temperature.ts";
import type { SearchDefinition } from "../definition.ts";
import type { Search } from "../search.ts";
import type { LeafRequest } from "../tree/parts.ts";

const options = Type.Object(
  {
    temperature: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1000,
        default: 1,
        description:
          "Temperature T: moves are drawn in proportion to p^(1/T), where p is the net's probability of the move. 0 plays the likeliest move.",
      }),
    ),
  },
  { additionalProperties: false },
);

/**
 * Plays by the net's policy alone: one evaluation of the position, one draw. With temperature 0 it plays the first of the
 * likeliest moves, without a draw. The values of its decisions are the net's values of the position; it has no values of
 * moves.
 *
 * Source: Silver et al. 2016, where supervised and reinforced policies play each other in this way.
 */
export const policyMove: SearchDefinition<typeof options> = {
  name: "policy",
  description: "A move drawn from the net's policy, or its likeliest move, without a search.",
  options,
  needs: { value: false, policy: true },
  best: "any",
  create<S>(game: Game<S>, { temperature }: { readonly temperature: number }): Search<S> {
    const buffer = new DecisionBuffer(game);
    const priors = new Float32Array(game.maxLegal);
    const weights = new Float64Array(game.maxLegal);
    const request: LeafRequest<S> = { states: [], count: 0, values: new Float64Array(game.players), priors };
    return {
      maxRequest: 1,
      *search(state, random) {
        const rows = buffer.open(state);
        const count = rows.actions.length;
        request.states[0] = state;
        request.count = 1;
        yield request;
        for (let i = 0; i < count; i++) weights[i] = priors[i]!;
        const index = drawByTemperature(weights.subarray(0, count), temperature, random);
        return buffer.close(rows, index, Array.from(request.values));
      },
    };
  },
};
