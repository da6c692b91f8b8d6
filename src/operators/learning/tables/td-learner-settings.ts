import { Type } from "../../../schema.ts";
import type { LearnerOptions } from "../../../models/tables.ts";
import { explorationSchema } from "./exploration.ts";
import { MOST_GAMES } from "../../experiment/most-games.ts";
import type { SettingsOf } from "../../operator.ts";
import { searchTargetsSchema } from "./search-targets.ts";
import { monitorSchema } from "./monitor-settings.ts";

/** Reports of games that are on their way to the main thread, at most: the games wait if that one is slower. */
export const MOST_REPORTS = 20;

/** The settings of a td-learner stage, each with its schema. */
export const tdLearnerSettings = {
  net: Type.String({ description: "The value function on tables that it learns (a name under nets)." }),
  games: Type.Integer({ minimum: 1, maximum: MOST_GAMES, description: "Games of the whole run." }),
  every: Type.Integer({
    minimum: 1,
    maximum: MOST_GAMES,
    description: "Games from one version of the weights to the next.",
  }),
  lambda: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 0.5,
    description:
      "Mixture of the returns of all lengths: 0 looks one move ahead (TD(0)), 1 looks at the whole rest of the game.",
  }),
  step: Type.Unsafe<"td" | "tc">({
    type: "string",
    enum: ["td", "tc"],
    default: "tc",
    description: "td: one rate for all weights. tc: a rate for each weight (temporal coherence learning).",
  }),
  rate: Type.Number({
    exclusiveMinimum: 0,
    maximum: 1000,
    default: 1,
    description: "Learning rate. In an N-tuple network the weights of a board share it.",
  }),
  decay: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1e12,
      description:
        "N0 of a rate that falls with the number of games n: rate (N0 + 1) / (N0 + n^1.1). If absent, the rate stays the same.",
    }),
  ),
  exploration: Type.Optional(explorationSchema),
  traces: Type.Optional(
    Type.Unsafe<"cut" | "keep">({
      type: "string",
      enum: ["cut", "keep"],
      description:
        "Learning from exploring moves, openings included. cut (default): nothing is learned from these moves, and eligibility traces start anew after them. keep: these moves are treated as all others.",
    }),
  ),
  search: Type.Optional(
    Type.Object(
      {
        agent: Type.String({
          description:
            "The agent that plays. It evaluates with the value function that is learned (a name under agents).",
        }),
        targets: searchTargetsSchema,
        after: Type.Integer({
          minimum: 0,
          maximum: MOST_GAMES,
          default: 0,
          description:
            "Number of games at the start that are played greedily and learned by the settings above.",
        }),
        step: Type.Unsafe<"td" | "tc">({
          type: "string",
          enum: ["td", "tc"],
          default: "td",
          description: "Like `step` above, for the games that the agent plays.",
        }),
        rate: Type.Number({
          exclusiveMinimum: 0,
          maximum: 1000,
          default: 0.1,
          description: "Learning rate for the games that the agent plays.",
        }),
      },
      {
        additionalProperties: false,
        description:
          "Lets a search play the games, instead of greedy play, and learns from the values that it finds. For n-tuple networks.",
      },
    ),
  ),
  restart: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description:
        "Begins each game at the middle of the previous one, if that one had at least this many decisions from its own beginning. Late positions then occur more often. For n-tuple networks.",
    }),
  ),
  begin: Type.Optional(
    Type.Object(
      {
        tile: Type.Integer({ minimum: 4, maximum: 2 ** 17, description: "The tile: a power of two." }),
        games: Type.Integer({
          minimum: 1,
          maximum: MOST_GAMES,
          default: 32,
          description: "Number of games from the same position. Games that `restart` begins are not counted.",
        }),
      },
      {
        additionalProperties: false,
        description:
          "Plays a game until it can make this tile, makes it, and learns from `games` games that continue from there; then the next one. It trains the tables of late stages of n-tuple networks, and needs weights that reach the tile.",
      },
    ),
  ),
  threads: Type.Integer({
    minimum: 1,
    maximum: 64,
    default: 1,
    description:
      "Threads that learn the same tables at the same time without waiting for each other (Hogwild). With more than 1 the run is not reproducible. For n-tuple networks.",
  }),
  record: Type.Integer({
    minimum: 0,
    maximum: MOST_GAMES,
    default: 100,
    description: "One game in this many is recorded; 0 records none.",
  }),
  monitor: monitorSchema,
};

/** The settings of a td-learner stage. */
export type TdLearnerSettings = SettingsOf<typeof tdLearnerSettings>;
/** The settings of every stage that learns on line; `replays` and `payoff` are for policy gradients only. */
export type LearnerSettings = TdLearnerSettings & Pick<LearnerOptions, "replays" | "payoff">;
/** The setting `search`. */
export type SearchSettings = NonNullable<TdLearnerSettings["search"]>;

/** The settings that the learning algorithm depends on. */
export function learnerOptions({
  lambda,
  step,
  rate,
  decay,
  traces,
  restart,
  begin,
  replays,
  payoff,
}: Pick<
  LearnerSettings,
  "lambda" | "step" | "rate" | "decay" | "traces" | "restart" | "begin" | "replays" | "payoff"
>): LearnerOptions {
  return {
    lambda,
    step: { use: step, rate },
    ...(decay === undefined ? {} : { decay }),
    ...(traces === undefined ? {} : { traces }),
    ...(restart === undefined ? {} : { restart }),
    ...(begin === undefined ? {} : { begin }),
    ...(replays === undefined ? {} : { replays }),
    ...(payoff === undefined ? {} : { payoff }),
  };
}
