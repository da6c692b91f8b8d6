import { Type } from "../../schema.ts";
import { DecisionBuffer } from "../choice/decision-buffer.ts";
import { drawByTemperature } from "../choice/draw-by-temperature.ts";
import type { SearchDefinition } from "../definition.ts";

const options = Type.Object(
  {
    temperature: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1000,
        default: 1,
        description:
          "Temperature T of the policy of the net: moves are drawn in proportion to p^(1/T). 0 plays the likeliest move. Other values than 1 need a net.",
      }),
    ),
  },
  { additionalProperties: false },
);

/** Plays the move that a playout would draw, or the likeliest one, without a search. It estimates nothing. */
export const preferredMove: SearchDefinition<typeof options> = {
  name: "preferred",
  description:
    "The move that a playout draws: by the policy of the net, or else a move that the game prefers (in Blokus a largest piece), or else any legal move.",
  options,
  needs: { value: false, policy: false, playouts: true },
  best: "any",
  unsuited: ({ search }, { temperature }) =>
    temperature === 1 || search?.movePriors?.["policy"] !== undefined
      ? undefined
      : "a temperature needs the policy of a net: name a net such as linear-policy, or leave temperature out",
  create(game, { temperature }) {
    const buffer = new DecisionBuffer(game);
    const values = Array.from({ length: game.players }, () => 0);
    const { playouts } = game;
    const policy = game.search?.movePriors?.["policy"];
    const odds = new Float64Array(game.maxLegal);
    return {
      maxRequest: 0,
      // oxlint-disable-next-line require-yield -- it makes no requests
      *search(state, random) {
        const rows = buffer.open(state);
        const count = rows.actions.length;
        let index: number;
        if (temperature !== 1) {
          policy!(state, rows.actions, count, odds);
          index = drawByTemperature(odds.subarray(0, count), temperature, random);
        } else
          index =
            playouts === undefined
              ? random.below(count)
              : rows.actions.indexOf(playouts.preferred(state, random));
        return buffer.close(rows, index, values);
      },
    };
  },
};
