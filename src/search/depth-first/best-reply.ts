import { AlphaBeta } from "./alpha-beta.ts";
import type { SearchDefinition } from "../definition.ts";
import { DepthFirst, depthFirstOptions } from "./depth-first.ts";
import { staticPayoffBounds, unknownValue } from "./static-payoff.ts";

/**
 * Best-reply search (Schadd and Winands 2011): between two moves of the root's seat only one opponent moves, the one
 * with the most damaging move. The other opponents are skipped. Such a layer of opponents is one move of depth, so the
 * root's seat makes every second move, however many players there are.
 *
 * With two players it is `paranoid`. With more, the game must be able to pass the turn (`passTo`).
 */
export const bestReply: SearchDefinition<typeof depthFirstOptions> = {
  name: "best-reply",
  description:
    "Depth-first search with the most damaging single reply of all opponents; alpha-beta. Needs no net.",
  options: depthFirstOptions,
  needs: { value: false, policy: false },
  best: "value",
  analysis: { pruning: "inner" },
  unsuited: (game, { value }) =>
    game.players > 2 && game.search?.passTo === undefined
      ? `${game.name} cannot pass the turn to a seat, which best-reply needs for more than two players`
      : unknownValue(game, value),
  valueBounds: (game, { payoff, value }) => staticPayoffBounds(game, value, payoff),
  create: (game, options, _nets, threadSeconds) => {
    const opposition = game.players > 2 ? "layers" : "turns";
    return new DepthFirst(
      game,
      options,
      threadSeconds,
      (descent) => new AlphaBeta(descent, options, opposition),
    );
  },
};
