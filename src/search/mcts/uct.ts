import { Type } from "../../schema.ts";
import type { SearchDefinition } from "../definition.ts";
import { groupingOption, unsuitedGrouping, withGrouping } from "../grouping/grouping.ts";
import { simulationsOption } from "../playouts/playout-options.ts";
import { eachForItself } from "./opponents.ts";
import { playoutSearch } from "./playout-search.ts";

const options = Type.Object(
  {
    simulations: simulationsOption(1000, "Simulations of a decision. One playout from the root is extra."),
    exploration: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1e12,
        default: 1.4,
        description: "C of UCB1, in units of the returns. 1.4 suits returns between 0 and 1.",
      }),
    ),
    grouping: groupingOption,
  },
  { additionalProperties: false },
);

/**
 * UCT (Kocsis and Szepesvari 2006) for any number of players: selection by UCB1 on the mover's mean return, one
 * uniformly random playout per leaf, a mean per seat, and the most visited move. It is `mcts-max-n` without its
 * refinements, with the returns as payoffs.
 */
export const uct: SearchDefinition<typeof options> = {
  name: "uct",
  description: "Monte Carlo tree search with UCB1 and random playouts, for any number of players.",
  options,
  needs: { value: false, policy: false },
  best: "visits",
  unsuited: unsuitedGrouping,
  create: (from, { simulations, exploration, grouping }) =>
    withGrouping(from, grouping, (game) =>
      playoutSearch(game, {
        opponents: eachForItself(game),
        simulations,
        milliseconds: 0,
        exploration,
        progressiveHistory: 0,
        epsilon: 1,
        payoff: "score",
        expansion: 1,
        solver: false,
        reuse: false,
        learnTemperature: 0,
      }),
    ),
};
