import { taggedUnion, Type } from "../../../schema.ts";
import type { SettingsOf } from "../../operator.ts";
import { retriesSchema } from "../../play/game-players.ts";
import { inFlightSchema } from "../../run/parallelism.ts";
import { adamSchema, sgdSchema } from "../training/optimiser-settings.ts";
import { scheduleSchema } from "../../../schedule.ts";

const closed = { additionalProperties: false } as const;

/** The settings of a reinforcement stage, each with its schema. */
export const reinforcementSettings = {
  net: Type.String({ description: "The net whose policy it learns (a name under nets)." }),
  agent: Type.String({
    description:
      "The agent in every seat (a name under agents). It draws its moves from the policy of the net: `use: policy` with temperature 1.",
  }),
  games: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 128,
    description: "Games of a minibatch. All of them are against one version of the pool.",
  }),
  steps: Type.Integer({
    minimum: 1,
    maximum: 10_000_000,
    description: "Steps of the optimiser in the whole run, each by the games of one minibatch.",
  }),
  every: Type.Integer({
    minimum: 1,
    maximum: 10_000_000,
    default: 500,
    description:
      "Number of steps from one version that joins the pool to the next. The first version, before any step, is always in the pool.",
  }),
  rate: scheduleSchema("Learning rate", "step", { exclusiveMinimum: 0, maximum: 100 }),
  optimiser: taggedUnion("use", "The optimiser that changes the weights.", [sgdSchema, adamSchema], {
    default: { use: "sgd", momentum: 0 },
  }),
  baseline: taggedUnion(
    "use",
    "The baseline b that is subtracted from the result z of a game. It changes the variance of the gradient and not its mean.",
    [
      Type.Object({ use: Type.Literal("none", { description: "No baseline: b = 0." }) }, closed),
      Type.Object(
        {
          use: Type.Literal("leave-one-out", {
            description:
              "The mean result of the other games of the minibatch in which the learner has the same seat; 0 if there are none (Kool, van Hoof and Welling 2019).",
          }),
        },
        closed,
      ),
      Type.Object(
        {
          use: Type.Literal("value-net", {
            description: "The value of the position for the learner's seat by a value net.",
          }),
          net: Type.String({
            description:
              "The value net (a name under nets). It has `weights` of its own: no stage of the run learns it.",
          }),
        },
        closed,
      ),
    ],
    { default: { use: "none" } },
  ),
  symmetries: Type.Boolean({
    default: false,
    description:
      "Learns each decision in a symmetric image of its position, drawn at random. For games with symmetries.",
  }),
  batch: Type.Integer({
    minimum: 1,
    maximum: 65_536,
    default: 256,
    description:
      "Positions whose gradients are computed at once. The gradients of all positions of a minibatch are added up for one step, so this bounds memory; it changes the last bits of trained weights, and the statistics of batch normalisation.",
  }),
  inFlight: inFlightSchema,
  retries: retriesSchema,
};

/** The settings of a reinforcement stage, as its code sees them. */
export type ReinforcementSettings = SettingsOf<typeof reinforcementSettings>;
