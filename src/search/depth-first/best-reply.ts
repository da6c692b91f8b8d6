import { AlphaBeta } from "./alpha-beta.ts";
import type { SearchDefinition } from "../definition.ts";
import { DepthFirst, depthFirstOptions } from "./depth-first.ts";
import { unknownValue } from "./static-payoff.ts";

/**
 * Best-reply search (Schadd and Winands 2011): between two moves of the root's seat one opponent alone moves, the one
 * with the most damaging move; the others are passed over. A layer of opponents is one move of depth, so the root's
 * seat is seen moving every second one, however many players there are.
 *
 * For two players it is `paranoid`; for more the game must be able to pass the turn (`passTo`).
 */
export const bestReply: SearchDefinition<typeof depthFirstOptions> = {
  name: "best-reply",
  description: "Looks ahead with the most damaging single reply of all opponents; alpha-beta. Needs no net.",
  options: depthFirstOptions,
  needs: { value: false, policy: false },
  best: "value",
  analysis: { pruning: "inner" },
  unsuited: (game, { value }) =>
    game.players > 2 && game.search?.passTo === undefined
      ? `${game.name} cannot pass the turn to a seat, which best-reply needs for more than two players`
      : unknownValue(game, value),
  create: (game, options) => {
    const opposition = game.players > 2 ? "layers" : "turns";
    return new DepthFirst(game, options, (descent) => new AlphaBeta(descent, options, opposition));
  },
};
