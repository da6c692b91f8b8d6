import { AlphaBeta } from "./alpha-beta.ts";
import type { SearchDefinition } from "../definition.ts";
import { DepthFirst, depthFirstOptions } from "./depth-first.ts";
import { unknownValue } from "./static-payoff.ts";

/**
 * Paranoid (Sturtevant and Korf 2000): the root's seat maximises its payoff, and every other one minimises it, as though
 * all others had conspired. Two sides, so alpha-beta applies.
 */
export const paranoid: SearchDefinition<typeof depthFirstOptions> = {
  name: "paranoid",
  description: "Looks ahead with all others playing against the one to move; alpha-beta. Needs no net.",
  options: depthFirstOptions,
  needs: { value: false, policy: false },
  best: "value",
  analysis: { pruning: "inner" },
  unsuited: (game, { value }) => unknownValue(game, value),
  create: (game, options) =>
    new DepthFirst(game, options, (descent) => new AlphaBeta(descent, options, "turns")),
};
