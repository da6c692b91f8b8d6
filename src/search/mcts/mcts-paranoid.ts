import type { SearchDefinition } from "../definition.ts";
import { withGrouping } from "../grouping/grouping.ts";
import { mctsOptions, unsuitedMcts } from "./mcts-options.ts";
import { allAgainstOne } from "./opponents.ts";
import { paidBy } from "./payoff.ts";
import { playoutSearch } from "./playout-search.ts";

/**
 * MCTS-paranoid: Monte Carlo tree search on the tree of paranoid search. All opponents minimise the payoff of the root
 * player. The utility of an opponent is 1 - the root player's mean, also in the statistics of its moves.
 *
 * Source: BlokusZero, section 3.1.4, equation (3.3); Nijssen and Winands (2012).
 */
export const mctsParanoid: SearchDefinition<typeof mctsOptions> = {
  name: "mcts-paranoid",
  description: "Monte Carlo tree search by playouts: all others play against the player to move.",
  options: mctsOptions,
  needs: { value: false, policy: false, playouts: true },
  best: "visits",
  unsuited: unsuitedMcts,
  valued: (game, { payoff }) => paidBy(payoff, game),
  create: (from, options, _nets, threadSeconds) =>
    withGrouping(from, options.grouping, (game) =>
      playoutSearch(game, { ...options, threadSeconds, opponents: allAgainstOne(game) }),
    ),
};
