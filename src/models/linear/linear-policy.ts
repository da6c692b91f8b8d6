import { Type } from "../../schema.ts";
import type { TablesDefinition } from "../tables.ts";
import { PolicyGradientLearner } from "./policy-gradient.ts";
import { LinearPolicy, moveFeaturesOf } from "./softmax-policy.ts";
import { loadWeightVector, saveWeightVector } from "./weight-vector.ts";

const options = Type.Object({}, { additionalProperties: false });

/** `linear-policy`: a softmax over the game's features of moves, learned by policy gradients or from recorded games. */
export const linearPolicy: TablesDefinition<typeof options> = {
  name: "linear-policy",
  description:
    "Linear softmax policy over the game's features of moves, for playouts. A policy-gradient stage learns it from its own games, a supervised stage from recorded ones.",
  options,
  open: (game) => {
    const { count } = moveFeaturesOf(game);
    return {
      kind: "tables",
      use: "linear-policy",
      hasPolicy: false,
      hasValue: false,
      values: "returns",
      load: (saved) => loadWeightVector(saved, count),
      save: (tables) => saveWeightVector(tables, count),
      playouts: (tables) => new LinearPolicy(game, tables),
      refusal: ({ replays }) =>
        replays === undefined
          ? {
              key: "net",
              message: "a policy for playouts is learned by policy gradients, in a stage of its own",
            }
          : undefined,
      learner: (tables, learning) =>
        new PolicyGradientLearner(new LinearPolicy(game, tables), game, learning),
    };
  },
};
