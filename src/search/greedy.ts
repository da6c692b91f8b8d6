import { Type } from "../schema.ts";
import type { SearchDefinition } from "./definition.ts";
import { Expectimax } from "./expectimax.ts";

const options = Type.Object({}, { additionalProperties: false });

/**
 * Plays the first action with the greatest reward + V for the mover, V being the net's value of the position that
 * the action leads to: the afterstate where chance moves next. Expectimax of 0 plies.
 */
export const greedy: SearchDefinition<typeof options> = {
  name: "greedy",
  description: "The move with the greatest reward plus value of the position after it.",
  options,
  needs: { value: true, policy: false },
  best: "value",
  create: (game) => new Expectimax(game, 0),
};
