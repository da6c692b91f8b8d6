import { Type } from "../../../schema.ts";
import { everySchema } from "../match/rounds.ts";
import type { SettingsOf } from "../../operator.ts";
import { retriesSchema } from "../../play/game-players.ts";
import { inFlightSchema } from "../../run/parallelism.ts";

/** The settings of a stage that tests agents on positions, each with its schema. */
export const suiteSettings = {
  file: Type.String({
    description:
      "A CSV file with the columns `position` (in the game's notation) and `moves` (the right moves, separated by spaces). The path is relative to the folder of the experiment file.",
  }),
  agents: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: 64,
    description: "The agents that are tested (names under agents).",
  }),
  positions: Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000_000 }), Type.Null()], {
    default: null,
    description:
      "Number of positions that are drawn from the file, the same ones in every round; null: all of them.",
  }),
  by: Type.Array(Type.String(), {
    maxItems: 4,
    default: [],
    description:
      "Further columns of the file: shares are also reported for each group of positions with equal entries in them.",
  }),
  values: Type.Boolean({
    default: false,
    description:
      "Whether the value that an agent gives each position is compared with the column `outcome` of the file: 1 if the seat to move wins, 0 for a draw, -1 if it loses.",
  }),
  every: everySchema(1),
  inFlight: inFlightSchema,
  retries: retriesSchema,
};

/** The settings of a stage that tests agents on positions, as its code sees them. */
export type SuiteSettings = SettingsOf<typeof suiteSettings>;
