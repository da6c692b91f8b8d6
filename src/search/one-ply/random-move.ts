import { Type } from "../../schema.ts";
import { DecisionBuffer } from "../choice/decision-buffer.ts";
import type { SearchDefinition } from "../definition.ts";

const options = Type.Object({}, { additionalProperties: false });

/**
 * Plays a uniformly random legal action and estimates nothing. It is the weakest opponent, and a fuzz test for games.
 */
export const randomMove: SearchDefinition<typeof options> = {
  name: "random",
  description: "A uniformly random legal move.",
  options,
  needs: { value: false, policy: false },
  best: "any",
  create(game) {
    const buffer = new DecisionBuffer(game);
    const values = Array.from({ length: game.players }, () => 0);
    return {
      maxRequest: 0,
      // oxlint-disable-next-line require-yield -- it makes no requests
      *search(state, random) {
        const rows = buffer.open(state);
        return buffer.close(rows, random.below(rows.actions.length), values);
      },
    };
  },
};
