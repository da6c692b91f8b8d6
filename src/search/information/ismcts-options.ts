import { Type } from "../../schema.ts";
import type { SearchDefinition } from "../definition.ts";
import { groupingOption, unsuitedGrouping } from "../grouping/grouping.ts";
import {
  epsilonOption,
  expansionOption,
  explorationOption,
  millisecondsOption,
  simulationsOption,
} from "../playouts/playout-options.ts";
import type { NewChildren, Observers } from "./information-moves.ts";
import type { BanditCounts, OpponentGoal } from "./information-selection.ts";
import { type FinalChoice, informationSearch } from "./ismcts.ts";

/** Options of `so-ismcts`, `so-ismcts-pom` and `mo-ismcts`; the defaults are those of Tsubokura and Nishino. */
export const ismctsOptions = Type.Object(
  {
    simulations: simulationsOption(
      1000,
      "Simulations of a decision. Each one starts from a new determinization: a position drawn from those that agree with what the player has seen.",
    ),
    milliseconds: millisecondsOption,
    exploration: explorationOption(1, "C of mean + C sqrt(2 ln n / n_j), in units of the returns."),
    expansion: expansionOption(
      10,
      "Visits of a leaf before the visit that expands it. The root is expanded at once.",
    ),
    counts: Type.Optional(
      Type.Unsafe<BanditCounts>({
        type: "string",
        enum: ["availability", "parent"],
        default: "availability",
        description:
          "What n counts in mean + C sqrt(2 ln n / n_j). availability: how often the move could have been selected (Cowling et al. 2012, section V). parent: the visits of the parent (Tsubokura and Nishino, equation 1).",
      }),
    ),
    children: Type.Optional(
      Type.Unsafe<NewChildren>({
        type: "string",
        enum: ["one", "every"],
        default: "one",
        description:
          "Which children a visit adds to an expanded node. one: one child, in which the simulation ends. every: a child for each move that is legal in the determinization, each with a simulation of its own, which counts as one of the simulations (Tsubokura and Nishino, section 2.1).",
      }),
    ),
    opponents: Type.Optional(
      Type.Unsafe<OpponentGoal>({
        type: "string",
        enum: ["max-n", "paranoid", "cooperative"],
        default: "max-n",
        description:
          "What the other players do in the tree. max-n: each maximises its own return. paranoid: each minimises the return of the player to move at the root. cooperative: each maximises it. (Tsubokura and Nishino back up the gain as the root's player sees it; section 2.1.)",
      }),
    ),
    firstPlay: Type.Optional(
      Type.Union([Type.Number({ minimum: -1e6, maximum: 1e6 }), Type.Null()], {
        default: null,
        description:
          "Value of a move without a visit, in units of the returns: it is tried where this is greater than mean + C sqrt(2 ln n / n_j) of all others. null: such moves come before all others.",
      }),
    ),
    final: Type.Optional(
      Type.Unsafe<FinalChoice>({
        type: "string",
        enum: ["visits", "mean"],
        default: "visits",
        description:
          "What the move played has most of: visits, or the mean return. Between equals the other one decides.",
      }),
    ),
    groupFirst: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          "With a grouping: whether final chooses a group first, then a move of it. false: it chooses among all moves.",
      }),
    ),
    searchForced: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "Whether a single legal move is searched too. It is played in any case; the search gives it values, and takes the time of any other.",
      }),
    ),
    epsilon: epsilonOption(
      1,
      "Probability that a playout move is drawn from all legal moves. Otherwise the net's policy draws it, or, without a net, it is a move that the game prefers (in Daihinmin the default client's). 1 makes playouts uniformly random.",
    ),
    grouping: groupingOption,
  },
  { additionalProperties: false },
);

/** Makes the definition of a search over information sets. */
export function ismctsDefinition(
  name: string,
  description: string,
  observers: Observers,
): SearchDefinition<typeof ismctsOptions> {
  return {
    name,
    description,
    options: ismctsOptions,
    needs: { value: false, policy: false, playouts: true },
    best: "visits",
    unsuited: unsuitedGrouping,
    create(game, { grouping, ...options }, _nets, threadSeconds) {
      const groups = game.search?.groupings?.[grouping];
      return informationSearch(game, {
        ...options,
        threadSeconds,
        observers,
        ...(groups === undefined ? {} : { grouping: groups }),
      });
    },
  };
}
