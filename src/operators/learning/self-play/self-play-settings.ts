import { Type } from "../../../schema.ts";
import { MOST_GAMES } from "../../experiment/most-games.ts";
import type { SettingsOf } from "../../operator.ts";
import { examplesSchema } from "../../play/examples/examples.ts";
import { inFlightSchema } from "../../run/parallelism.ts";
import { monitorSchema } from "../tables/monitor-settings.ts";
import { poolSchema } from "../../play/opponent-pool.ts";
import { retriesSchema } from "../../play/game-players.ts";
import { selfPlayOpeningsSchema } from "./self-play-openings.ts";

/** The settings of a self-play stage, each with its schema. */
export const selfPlaySettings = {
  agent: Type.String({ description: "The agent in every seat (a name under agents)." }),
  games: Type.Integer({ minimum: 1, maximum: MOST_GAMES, description: "Games of the whole run." }),
  generation: Type.Integer({
    minimum: 1,
    maximum: MOST_GAMES,
    description: "Games played with one version of the weights; the trainer learns once per generation.",
  }),
  warmStart: Type.Optional(
    Type.Object(
      {
        agent: Type.String({ description: "The agent in every seat of these games. It has no net." }),
        games: Type.Integer({
          minimum: 1,
          maximum: MOST_GAMES,
          description: "Number of games at the start of the run that this agent plays.",
        }),
      },
      {
        additionalProperties: false,
        description:
          "Lets an agent without a net, such as a search by playouts, play the first games. An untrained net then learns from sensible games (warm start: Wang, Preuss and Plaat 2020; Anthony, Tian and Barber 2017). The values learned from these games are their results only.",
      },
    ),
  ),
  openings: selfPlayOpeningsSchema,
  pool: poolSchema,
  examples: examplesSchema,
  inFlight: inFlightSchema,
  retries: retriesSchema,
  monitor: monitorSchema,
};

/** The settings of a self-play stage, as its code sees them. */
export type SelfPlaySettings = SettingsOf<typeof selfPlaySettings>;
