import { Type } from "../../../schema.ts";
import { everySchema } from "../match/rounds.ts";
import type { SettingsOf } from "../../operator.ts";
import { collectionParts } from "../../run/items.ts";

/** The settings of a stage that measures policies, each with its schema. */
export const accuracySettings = {
  policies: Type.Array(
    Type.Object(
      {
        net: Type.String({
          description: "A net with a policy, or a linear policy (a name under nets).",
        }),
        symmetries: Type.Union([Type.Literal("none"), Type.Literal("ensemble")], {
          default: "none",
          description:
            "`ensemble`: the mean of the probabilities in all symmetric images of the position (Silver et al. 2016).",
        }),
      },
      { additionalProperties: false, description: "A policy, and how it is evaluated." },
    ),
    { minItems: 1, maxItems: 64, description: "The policies that are measured." },
  ),
  part: Type.Unsafe<(typeof collectionParts)[number]>({
    type: "string",
    enum: [...collectionParts],
    default: "validation",
    description:
      "The games whose moves are predicted: `validation` to watch and choose by, `test` for the last figure, `training` to see how much the net has memorised.",
  }),
  positions: Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000_000 }), Type.Null()], {
    default: null,
    description:
      "Number of positions that are drawn from these games, the same ones in every round; null: all of them.",
  }),
  width: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 10,
    description: "Number of plies in a bin, for figures by ply.",
  }),
  every: everySchema(1),
};

/** The settings of a stage that measures policies, as its code sees them. */
export type AccuracySettings = SettingsOf<typeof accuracySettings>;
