import { Type } from "../../schema.ts";
import type { SearchDefinition } from "../definition.ts";
import { groupingDescription, unsuitedGrouping, withGrouping } from "../grouping/grouping.ts";
import { eachForItself } from "./opponents.ts";
import { PlayoutSearch } from "./playout-search.ts";

const options = Type.Object(
  {
    simulations: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000_000,
        default: 1000,
        description: "Simulations a decision; one rollout from the root comes on top.",
      }),
    ),
    exploration: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1e12,
        default: 1.4,
        description: "C of UCB1, in units of the returns: 1.4 suits returns between 0 and 1.",
      }),
    ),
    grouping: Type.Optional(Type.String({ default: "none", description: groupingDescription })),
  },
  { additionalProperties: false },
);

/**
 * UCT (Kocsis and Szepesvari 2006) for any number of players: UCB1 selection for the mover's mean, one uniformly
 * random playout per leaf, a mean per seat, the most visited move. `mcts-max-n` on the returns themselves, plain.
 */
export const uct: SearchDefinition<typeof options> = {
  name: "uct",
  description: "Monte Carlo tree search with UCB1 and random playouts, for any number of players.",
  options,
  needs: { value: false, policy: false },
  best: "visits",
  unsuited: unsuitedGrouping,
  create: (from, { simulations, exploration, grouping }) =>
    withGrouping(
      from,
      grouping,
      (game) =>
        new PlayoutSearch(game, {
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
