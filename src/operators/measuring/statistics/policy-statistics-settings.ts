import { Type } from "../../../schema.ts";
import { MOST_GAMES } from "../../experiment/most-games.ts";
import { everySchema } from "../match/rounds.ts";
import type { SettingsOf } from "../../operator.ts";
import { usualAnalysis } from "../../play/analysed-search.ts";
import { retriesSchema } from "../../play/game-players.ts";
import { openingsSchema } from "../../play/openings/openings.ts";
import { inFlightSchema } from "../../run/parallelism.ts";

/** The settings of a stage of policy statistics, each with its schema. */
export const policyStatisticsSettings = {
  agent: Type.String({
    description: "The agent whose net's policy is examined (a name under agents). The net needs a policy.",
  }),
  opponent: Type.Optional(
    Type.String({
      description:
        "The agent in all other seats (a name under agents); the seat of `agent` changes from game to game. If absent, `agent` plays in every seat.",
    }),
  ),
  games: Type.Integer({
    minimum: 1,
    maximum: MOST_GAMES,
    default: 30,
    description: "Games in a round. All of them are analysed.",
  }),
  every: everySchema(0),
  plies: openingsSchema.properties.plies,
  tops: Type.Array(Type.Integer({ minimum: 1, maximum: 1_000_000, description: "A number of moves." }), {
    minItems: 1,
    maxItems: 8,
    default: [...usualAnalysis.tops],
    description:
      "Increasing numbers of moves. For each number k, the statistics have the probability of the k likeliest moves together.",
  }),
  moves: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: usualAnalysis.moves,
    description: "Number of moves per decision that are kept for the report.",
  }),
  inFlight: inFlightSchema,
  retries: retriesSchema,
};

/** The settings of a stage of policy statistics, as its code sees them. */
export type PolicyStatisticsSettings = SettingsOf<typeof policyStatisticsSettings>;
