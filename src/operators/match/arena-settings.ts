import { type Static, type TObject, Type } from "../../schema.ts";
import { retriesSchema } from "../play/game-players.ts";
import { MOST_GAMES } from "../experiment/most-games.ts";
import { openingsSchema } from "../play/openings.ts";
import { seatingSchema, seatsSchema } from "./pairing.ts";
import { inFlightSchema } from "../run/parallelism.ts";
import { everySchema } from "./rounds.ts";

const errorRate = (description: string) =>
  Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 0.5, default: 0.05, description });

const sequentialSchema = Type.Object(
  {
    elo0: Type.Number({
      minimum: -5000,
      maximum: 5000,
      description: "Elo of the first agent over the second by the one hypothesis.",
    }),
    elo1: Type.Number({
      minimum: -5000,
      maximum: 5000,
      description: "Elo of the first agent over the second by the other; above elo0.",
    }),
    alpha: errorRate("The chance to accept elo1 where elo0 is true."),
    beta: errorRate("The chance to accept elo0 where elo1 is true."),
  },
  {
    additionalProperties: false,
    description:
      "Two agents only: play until a sequential test has told whether the first is better by elo1 or by elo0 only, at most so many games.",
  },
);

/** The settings of an arena. */
export const arenaSettings = {
  agents: Type.Array(Type.String(), { minItems: 1, description: "Who plays (names under agents)." }),
  games: Type.Integer({
    minimum: 1,
    maximum: MOST_GAMES,
    description:
      "Games in a round: for each agent in one-player games, in all in others; with sequential the most.",
  }),
  every: everySchema(1),
  seats: seatsSchema,
  seating: seatingSchema,
  deals: Type.Unsafe<"own" | "shared">({
    type: "string",
    enum: ["own", "shared"],
    default: "own",
    description:
      "own: chance is drawn anew for every game. shared: the games in which the same agents change seats meet the same draws of chance as far as play allows (in Daihinmin the same deal), so that no agent has the better cards.",
  }),
  openings: Type.Optional(openingsSchema),
  sequential: Type.Optional(sequentialSchema),
  onFailure: Type.Unsafe<"forfeit" | "drop-game" | "stop">({
    type: "string",
    enum: ["forfeit", "drop-game", "stop"],
    default: "forfeit",
    description:
      "What becomes of a game that a player cannot go on with (an outside program that died, hung or broke the rules). forfeit: its seat is last, the others share the win; the unfinished returns count nowhere. drop-game: it does not count at all. stop: the run fails. Failures are counted and reported in any case.",
  }),
  analyse: Type.Integer({
    minimum: 0,
    maximum: MOST_GAMES,
    default: 0,
    description:
      "So many games of each round are analysed, its first ones: what players thought of each move is kept, and the report has a page to go through the game.",
  }),
  inFlight: inFlightSchema,
  retries: retriesSchema,
};

/** The settings of an arena, as its code sees them. */
export type ArenaSettings = Static<TObject<typeof arenaSettings>>;
