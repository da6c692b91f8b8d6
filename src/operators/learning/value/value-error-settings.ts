import type { ValueKind } from "../../../games/outcome.ts";
import { Type } from "../../../schema.ts";
import type { SettingsOf } from "../../operator.ts";
import { retriesSchema } from "../../play/game-players.ts";
import { collectionParts } from "../../run/items.ts";
import { inFlightSchema } from "../../run/parallelism.ts";

const rollouts = Type.Object(
  {
    agent: Type.String({ description: "The agent in every seat of the rollouts. It draws its moves." }),
    count: Type.Integer({
      minimum: 1,
      maximum: 100_000,
      default: 100,
      description: "Rollouts from each position; their mean result is the value.",
    }),
  },
  { additionalProperties: false },
);

/** The settings of a stage that measures the error of values, each with its schema. */
export const valueErrorSettings = {
  nets: Type.Array(Type.String(), {
    description: "The nets whose values are measured (names under nets); [] measures rollouts alone.",
  }),
  rollouts: Type.Array(rollouts, {
    default: [],
    description: "The agents whose rollouts also value the positions.",
  }),
  values: Type.Unsafe<ValueKind>({
    type: "string",
    enum: ["win-loss", "win-share", "returns"],
    default: "win-loss",
    description: "The kind of result that a value predicts: the `values` of all the nets.",
  }),
  test: Type.Integer({
    minimum: 2,
    maximum: 10_000_000,
    default: 500,
    description:
      "Most games whose positions are valued: held-out games, and as many of those learned from; or games of a collection.",
  }),
  positions: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 1,
    description:
      "Most positions of a game of a collection; they are drawn uniformly. Of other games all examples are taken.",
  }),
  part: Type.Unsafe<(typeof collectionParts)[number]>({
    type: "string",
    enum: [...collectionParts],
    default: "test",
    description: "The part of the collection that the games are from.",
  }),
  width: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 10,
    description: "Number of plies in a bin, for the error by ply.",
  }),
  inFlight: inFlightSchema,
  retries: retriesSchema,
};

/** The settings of a stage that measures the error of values, as its code sees them. */
export type ValueErrorSettings = SettingsOf<typeof valueErrorSettings>;
