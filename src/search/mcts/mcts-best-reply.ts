import type { SearchDefinition } from "../definition.ts";
import { mctsOptions, unsuitedMcts } from "./mcts-options.ts";
import { oneForAll } from "./opponents.ts";
import { paidBy } from "./payoff.ts";
import { playoutSearch } from "./playout-search.ts";

/**
 * MCTS-best-reply (MCTS-BRS): Monte Carlo tree search on the tree of best-reply search. The moves of all opponents form
 * one layer of the tree, in which selection follows `mcts-paranoid`. Playouts follow the game's own turn order.
 *
 * Source: BlokusZero, section 3.1.4, equation (3.3); Nijssen and Winands (2012). With more than two players the tree is
 * not that of the game, so `reuse` keeps nothing.
 */
export const mctsBestReply: SearchDefinition<typeof mctsOptions> = {
  name: "mcts-best-reply",
  description:
    "Monte Carlo tree search by playouts: between two moves of the player one opponent moves, against the player.",
  options: mctsOptions,
  needs: { value: false, policy: false },
  best: "visits",
  unsuited: (game, options) =>
    game.players > 2 && game.search?.passTo === undefined
      ? `${game.name} cannot pass the turn to a seat, which mcts-best-reply needs for more than two players`
      : options.grouping !== "none"
        ? "mcts-best-reply knows no groups: a layer of its tree has moves of several seats"
        : game.players > 2 && options.prior !== null && options.prior.of !== "preference"
          ? "a layer of mcts-best-reply has moves of several seats, which have no prior but preference"
          : unsuitedMcts(game, options),
  valued: (game, { payoff }) => paidBy(payoff, game),
  create: (game, options, _nets, threadSeconds) =>
    playoutSearch(game, { ...options, threadSeconds, opponents: oneForAll(game) }),
};
