import type { ValueKind } from "../../../games/outcome.ts";
import { Type } from "../../../schema.ts";
import { MOST_GAMES } from "../../experiment/most-games.ts";
import type { SettingsOf } from "../../operator.ts";
import { retriesSchema } from "../../play/game-players.ts";
import { inFlightSchema } from "../../run/parallelism.ts";

/** The settings of a stage of games for a value net, each with its schema. */
export const valueGamesSettings = {
  first: Type.String({
    description:
      "The agent that plays the moves before the random one, in every seat (a name under agents): in AlphaGo the supervised policy.",
  }),
  // oxlint-disable-next-line unicorn/no-thenable -- a setting of a stage, which nothing awaits
  then: Type.String({
    description:
      "The agent that plays from the random move to the end, in every seat (a name under agents): in AlphaGo the reinforced policy.",
  }),
  games: Type.Integer({ minimum: 1, maximum: MOST_GAMES, description: "Games of the whole run." }),
  generation: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MOST_GAMES,
      description:
        "Games after which a trainer learns; it divides `games`. If absent, the trainer learns once, when all games are played.",
    }),
  ),
  longest: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    default: 450,
    description:
      "Greatest number U of the random move: U is drawn uniformly from 1 to this number. A game that ends before the position after move U is drawn again, with another U.",
  }),
  positions: Type.Unsafe<"one" | "all">({
    type: "string",
    enum: ["one", "all"],
    default: "one",
    description:
      "Examples of a game. one: the position after the random move. all: also every later position in which a seat decides; they have the same result, and a net memorises the games.",
  }),
  heldOut: Type.Number({
    minimum: 0,
    maximum: 0.9,
    default: 0.05,
    description: "Share of the games that nothing learns from. They test the net (stage value-error).",
  }),
  values: Type.Unsafe<ValueKind>({
    type: "string",
    enum: ["win-loss", "win-share", "returns"],
    default: "win-loss",
    description: "The kind of result in the examples: the `values` of the net that learns from them.",
  }),
  inFlight: inFlightSchema,
  retries: retriesSchema,
};

/** The settings of a stage of games for a value net, as its code sees them. */
export type ValueGamesSettings = SettingsOf<typeof valueGamesSettings>;
