import type { SearchDefinition } from "../definition.ts";
import { withGrouping } from "../grouping/grouping.ts";
import { mctsOptions, unsuitedMcts } from "./mcts-options.ts";
import { eachForItself } from "./opponents.ts";
import { paidBy } from "./payoff.ts";
import { playoutSearch } from "./playout-search.ts";

/**
 * MCTS-max-n: Monte Carlo tree search on the tree of max-n, by UCB1 with Progressive History and epsilon-greedy
 * playouts. Every node keeps the mean payoff of each seat, and selection uses the mean of the mover.
 *
 * Source: BlokusZero, section 3.1.4, equations (3.2) and (3.4); Nijssen and Winands (2012).
 */
export const mctsMaxN: SearchDefinition<typeof mctsOptions> = {
  name: "mcts-max-n",
  description: "Monte Carlo tree search by playouts: every player maximises its own payoff.",
  options: mctsOptions,
  needs: { value: false, policy: false, playouts: true },
  best: "visits",
  unsuited: unsuitedMcts,
  valued: (game, { payoff }) => paidBy(payoff, game),
  create: (from, options, _nets, threadSeconds) =>
    withGrouping(from, options.grouping, (game) =>
      playoutSearch(game, { ...options, threadSeconds, opponents: eachForItself(game) }),
    ),
};
