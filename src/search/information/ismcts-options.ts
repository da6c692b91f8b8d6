import { Type, type Static } from "../../schema.ts";
import type { SearchDefinition } from "../definition.ts";
import { groupingDescription, unsuitedGrouping } from "../grouping/grouping.ts";
import { InformationSearch, type Observers } from "./ismcts.ts";

/** Options of `so-ismcts`, `so-ismcts-pom` and `mo-ismcts`; the defaults are those of Tsubokura and Nishino. */
export const ismctsOptions = Type.Object(
  {
    simulations: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000_000,
        default: 1000,
        description: "Simulations a decision, each in a position drawn anew from what the player has seen.",
      }),
    ),
    milliseconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400_000,
        default: 0,
        description:
          "Wall time a decision, in place of simulations; 0: simulations count. Decisions under a time limit are not reproducible.",
      }),
    ),
    exploration: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1_000_000,
        default: 1,
        description: "C of mean + C sqrt(2 ln n / n_j), in units of the returns.",
      }),
    ),
    expansion: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        default: 10,
        description: "Visits of a leaf before the one that expands it; the root is expanded at once.",
      }),
    ),
    epsilon: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        default: 1,
        description:
          "How often a playout's move is any legal one, not one that the game prefers (in Daihinmin the default client's), or that the policy of the agent's net draws; 1: uniformly random playouts.",
      }),
    ),
    grouping: Type.Optional(
      Type.String({
        default: "none",
        description: groupingDescription,
      }),
    ),
  },
  { additionalProperties: false },
);

/** The options, complete. */
export type IsmctsOptions = Required<Static<typeof ismctsOptions>>;

/** The definition of a search over information sets. */
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
    create(game, { grouping, ...options }) {
      const groups = game.search?.groupings?.[grouping];
      return new InformationSearch(game, {
        ...options,
        observers,
        ...(groups === undefined ? {} : { grouping: groups }),
      });
    },
  };
}
