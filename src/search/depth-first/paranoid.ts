import { AlphaBeta } from "./alpha-beta.ts";
import type { SearchDefinition } from "../definition.ts";
import { DepthFirst, depthFirstOptions } from "./depth-first.ts";
import { staticPayoffBounds, unknownValue } from "./static-payoff.ts";

/**
 * Paranoid search (Sturtevant and Korf 2000): the root's seat maximises its payoff, and every other seat minimises it.
 * This makes two sides, so alpha-beta applies.
 */
export const paranoid: SearchDefinition<typeof depthFirstOptions> = {
  name: "paranoid",
  description:
    "Depth-first search in which all others play against the player to move; alpha-beta. Needs no net.",
  options: depthFirstOptions,
  needs: { value: false, policy: false },
  best: "value",
  analysis: { pruning: "inner" },
  unsuited: (game, { value }) => unknownValue(game, value),
  valueBounds: (game, { payoff, value }) => staticPayoffBounds(game, value, payoff),
  create: (game, options, _nets, threadSeconds) =>
    new DepthFirst(game, options, threadSeconds, (descent) => new AlphaBeta(descent, options, "turns")),
};
