import { Type } from "../../schema.ts";
import { DecisionBuffer } from "../choice/decision-buffer.ts";
import type { SearchDefinition } from "../definition.ts";

const options = Type.Object({}, { additionalProperties: false });

/** Plays the move that a playout would draw, without a search. It estimates nothing. */
export const preferredMove: SearchDefinition<typeof options> = {
  name: "preferred",
  description:
    "The move that a playout draws: by the policy of the net, or else a move that the game prefers (in Blokus a largest piece), or else any legal move.",
  options,
  needs: { value: false, policy: false, playouts: true },
  best: "any",
  create(game) {
    const buffer = new DecisionBuffer(game);
    const values = Array.from({ length: game.players }, () => 0);
    const { playouts } = game;
    return {
      maxRequest: 0,
      // oxlint-disable-next-line require-yield -- it makes no requests
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
