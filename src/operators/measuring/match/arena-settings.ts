import { type Static, type TObject, Type } from "../../../schema.ts";
import { retriesSchema } from "../../play/game-players.ts";
import { MOST_GAMES } from "../../experiment/most-games.ts";
import { equalTimeSchema } from "./equal-time-settings.ts";
import { earlierSchema } from "./earlier-selves.ts";
import { openingsSchema } from "../../play/openings/openings.ts";
import { seatingSchema, seatsSchema } from "./pairing.ts";
import { inFlightSchema } from "../../run/parallelism.ts";
import { everySchema } from "./rounds.ts";
import { errorRate, untilSchema } from "./until-settings.ts";

const sequentialSchema = Type.Object(
  {
    elo0: Type.Number({
      minimum: -5000,
      maximum: 5000,
      description: "First hypothesis: Elo of the first agent over the second.",
    }),
    elo1: Type.Number({
      minimum: -5000,
      maximum: 5000,
      description: "Second hypothesis: Elo of the first agent over the second; greater than elo0.",
    }),
    alpha: errorRate("Probability of accepting elo1 when elo0 is true."),
    beta: errorRate("Probability of accepting elo0 when elo1 is true."),
  },
  {
    additionalProperties: false,
    description:
      "Plays until a sequential test decides between the hypotheses elo0 and elo1, at most `games` games. For two agents only.",
  },
);

/** The settings of an arena. */
export const arenaSettings = {
  agents: Type.Array(Type.String(), {
    minItems: 1,
    description: "The agents that play (names under agents).",
  }),
  games: Type.Integer({
    minimum: 1,
    maximum: MOST_GAMES,
    description:
      "Games in a round: for each agent in one-player games, in total in other games. With `sequential`, the maximum.",
  }),
  every: everySchema(1),
  earlier: Type.Optional(earlierSchema),
  until: Type.Optional(untilSchema),
  seats: seatsSchema,
  seating: seatingSchema,
  deals: Type.Unsafe<"own" | "shared">({
    type: "string",
    enum: ["own", "shared"],
    default: "own",
    description:
      "own: every game has its own draws of chance. shared: games in which the same agents change seats have the same draws of chance as far as play allows (in Daihinmin the same deal), so that no agent has better cards.",
  }),
  openings: Type.Optional(openingsSchema),
  sequential: Type.Optional(sequentialSchema),
  equalTime: Type.Optional(equalTimeSchema),
  onFailure: Type.Unsafe<"forfeit" | "drop-game" | "stop">({
    type: "string",
    enum: ["forfeit", "drop-game", "stop"],
    default: "forfeit",
    description:
      "What happens with a game that a player cannot continue, such as an outside program that died, hung or broke the rules. forfeit: the player's seat is last and the others share the win; the unfinished returns are not counted. drop-game: the game is not counted. stop: the run fails. Failures are always counted and reported.",
  }),
  analyse: Type.Integer({
    minimum: 0,
    maximum: MOST_GAMES,
    default: 0,
    description:
      "Number of games at the start of each round that are analysed: the players' evaluation of each move is kept, and the report gets a page for stepping through the game.",
  }),
  inFlight: inFlightSchema,
  retries: retriesSchema,
};

/** The settings of an arena, as its code sees them. */
export type ArenaSettings = Static<TObject<typeof arenaSettings>>;
