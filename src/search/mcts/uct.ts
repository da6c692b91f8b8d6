import { Type } from "../../schema.ts";
import type { SearchDefinition } from "../definition.ts";
import { groupingOption, unsuitedGrouping, withGrouping } from "../grouping/grouping.ts";
import {
  epsilonOption,
  expansionOption,
  millisecondsOption,
  reuseOption,
  simulationsOption,
} from "../playouts/playout-options.ts";
import { eachForItself } from "./opponents.ts";
import { passLastOption, unsuitedPassLast } from "../choice/pass-last.ts";
import { resignOption, unsuitedResignation } from "../choice/resignation.ts";
import { playoutSearch } from "./playout-search.ts";
import { selectionOptions, unsuitedSelection } from "./selection-options.ts";

const options = Type.Object(
  {
    simulations: simulationsOption(1000, "Simulations of a decision. One playout from the root is extra."),
    milliseconds: millisecondsOption,
    exploration: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1e12,
        default: 1.4,
        description: "C of UCB1, in units of the returns. 1.4 suits returns between 0 and 1.",
      }),
    ),
    epsilon: epsilonOption(
      1,
      "Probability that a playout move is drawn from all playout moves of the game: the legal ones, in Go without own eyes and suicides. Otherwise it is one that the game prefers, or one that the policy of the net draws.",
    ),
    expansion: expansionOption(
      1,
      "Visits of a leaf before the visit that expands it. The root is expanded after its first visit.",
    ),
    reuse: reuseOption,
    passLast: passLastOption,
    resign: resignOption,
    ...selectionOptions,
    grouping: groupingOption,
  },
  { additionalProperties: false },
);

/**
 * UCT (Kocsis and Szepesvari 2006) for any number of players: selection by UCB1 on the mover's mean return, one
 * uniformly random playout per leaf, a mean per seat, and the most visited move. It is `mcts-max-n` with the returns as
 * payoffs and without Progressive History. Options add RAVE, priors of new moves, progressive widening, and playouts by
 * preference or by a policy.
 */
export const uct: SearchDefinition<typeof options> = {
  name: "uct",
  description: "Monte Carlo tree search with UCB1 and random playouts, for any number of players.",
  options,
  needs: { value: false, policy: false, playouts: true },
  best: "visits",
  unsuited: (game, options) =>
    unsuitedPassLast(game, options.passLast) ??
    unsuitedResignation(game, options.resign) ??
    unsuitedGrouping(game, options) ??
    unsuitedSelection(game, { ...options, payoff: "score" }),
  create: (from, options, _nets, threadSeconds) =>
    withGrouping(from, options.grouping, (game) =>
      playoutSearch(game, {
        ...options,
        threadSeconds,
        opponents: eachForItself(game),
        progressiveHistory: 0,
        payoff: "score",
        solver: false,
        learnTemperature: 0,
      }),
    ),
};
