import { Type } from "../../schema.ts";
import { DecisionBuffer } from "../choice/decision-buffer.ts";
import type { SearchDefinition } from "../definition.ts";

const options = Type.Object({}, { additionalProperties: false });

/** Plays as playouts do, without a search; estimates nothing. */
export const preferredMove: SearchDefinition<typeof options> = {
  name: "preferred",
  description:
    "The move that playouts draw: by the policy of its net, else one that the game itself prefers (in Blokus a largest piece), else any.",
  options,
  needs: { value: false, policy: false, playouts: true },
  best: "any",
  create(game) {
    const buffer = new DecisionBuffer(game);
    const values = Array.from({ length: game.players }, () => 0);
    const { playouts } = game;
    return {
      maxRequest: 0,
      // oxlint-disable-next-line require-yield -- it asks for no evaluation
      *search(state, random) {
        const rows = buffer.open(state);
        const index =
          playouts === undefined
            ? random.below(rows.actions.length)
            : rows.actions.indexOf(playouts.preferred(state, random));
        return buffer.close(rows, index, values);
      },
    };
  },
};
