import { Type } from "../../schema.ts";
import type { TablesDefinition } from "../tables.ts";
import { featuresOf, LinearValue } from "./linear-value.ts";
import { TdLambdaLearner } from "./td-lambda.ts";
import { loadWeightVector, saveWeightVector, weightVector } from "./weight-vector.ts";

const options = Type.Object({}, { additionalProperties: false });

/** `linear`: a weighted sum of the game's features, trained on line by TD(lambda). */
export const linear: TablesDefinition<typeof options> = {
  name: "linear",
  description: "Linear value function for two players: a weighted sum of the game's features of positions.",
  options,
  open: (game) => {
    const { names } = featuresOf(game);
    return {
      kind: "tables",
      use: "linear",
      hasPolicy: false,
      hasValue: true,
      values: "win-share",
      named: { names, read: (tables) => [...weightVector(tables, names.length)] },
      load: (saved) => loadWeightVector(saved, names.length),
      save: (tables) => saveWeightVector(tables, names.length),
      evaluator: (tables) => new LinearValue(game, tables),
      refusal: ({ step, restart, begin }) =>
        restart !== undefined || begin !== undefined
          ? {
              key: begin === undefined ? "restart" : "begin",
              message: "a linear value function is learned from whole games, without restart and begin",
            }
          : step.use === "td"
            ? undefined
            : { key: "step", message: "a linear value function is learned with step: td" },
      learner: (tables, learning) => new TdLambdaLearner(new LinearValue(game, tables), game, learning),
    };
  },
};
