import type { SearchDefinition } from "../definition.ts";
import { mctsOptions, unsuitedMcts } from "./mcts-options.ts";
import { oneForAll } from "./opponents.ts";
import { PlayoutSearch } from "./playout-search.ts";

/**
 * MCTS-best-reply (MCTS-BRS): Monte Carlo tree search on the tree of best-reply search, where the moves of all others
 * make one layer, chosen from as in `mcts-paranoid`. Playouts go on in the game's own order of turns.
 *
 * Source: BlokusZero, section 3.1.4, equation (3.3); Nijssen and Winands (2012). Its tree is not that of the game, so
 * `reuse` keeps nothing for games of more than two players.
 */
export const mctsBestReply: SearchDefinition<typeof mctsOptions> = {
  name: "mcts-best-reply",
  description:
    "Monte Carlo tree search by playouts in which one opponent at a time moves, against the player to move.",
  options: mctsOptions,
  needs: { value: false, policy: false },
  best: "visits",
  unsuited: (game, options) =>
    game.players > 2 && game.search?.passTo === undefined
      ? `${game.name} cannot pass the turn to a seat, which mcts-best-reply needs for more than two players`
      : options.grouping !== "none"
        ? "mcts-best-reply knows no groups: a layer of it has moves of several seats"
        : unsuitedMcts(game, options),
  create: (game, options) => new PlayoutSearch(game, { ...options, opponents: oneForAll(game) }),
};
