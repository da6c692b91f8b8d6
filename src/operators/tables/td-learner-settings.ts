import { Type } from "../../schema.ts";
import type { LearnerOptions } from "../../models/tables.ts";
import { explorationSchema } from "./exploration.ts";
import { MOST_GAMES } from "../experiment/most-games.ts";
import type { SettingsOf } from "../operator.ts";
import { searchTargetsSchema } from "./search-targets.ts";
import { monitorSchema } from "./value-monitor.ts";

/** The settings of a td-learner stage, each with its schema. */
export const tdLearnerSettings = {
  net: Type.String({ description: "The value function it learns, on tables (a name under nets)." }),
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
      "Mixture of the returns of all lengths: 0 looks one move ahead (TD(0)), 1 at the whole rest of the game.",
  }),
  step: Type.Unsafe<"td" | "tc">({
    type: "string",
    enum: ["td", "tc"],
    default: "tc",
    description:
      "td: one rate for all weights; tc: each weight has a rate of its own (temporal coherence learning).",
  }),
  rate: Type.Number({
    exclusiveMinimum: 0,
    maximum: 1000,
    default: 1,
    description: "Learning rate; in an N-tuple network it is shared among the weights of a board.",
  }),
  decay: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1e12,
      description:
        "N0 of a rate that falls with the games n: rate (N0 + 1) / (N0 + n^1.1). Without it the rate stays.",
    }),
  ),
  exploration: Type.Optional(explorationSchema),
  traces: Type.Optional(
    Type.Unsafe<"cut" | "keep">({
      type: "string",
      enum: ["cut", "keep"],
      description:
        "What a move does that explores (openings included): cut (default): it teaches nothing, and learning begins anew behind it; keep: it is learned from as any other.",
    }),
  ),
  search: Type.Optional(
    Type.Object(
      {
        agent: Type.String({
          description: "The agent that plays, by the value function that is learned (a name under agents).",
        }),
        targets: searchTargetsSchema,
        after: Type.Integer({
          minimum: 0,
          maximum: MOST_GAMES,
          default: 0,
          description: "Games that are learned greedily first, by the settings above.",
        }),
        step: Type.Unsafe<"td" | "tc">({
          type: "string",
          enum: ["td", "tc"],
          default: "td",
          description: "As `step` above, for the games that the agent plays.",
        }),
        rate: Type.Number({
          exclusiveMinimum: 0,
          maximum: 1000,
          default: 0.1,
          description: "Learning rate for these games.",
        }),
      },
      {
        additionalProperties: false,
        description:
          "Has a search play the games and learns from what it finds, in place of greedy play. For n-tuple networks.",
      },
    ),
  ),
  restart: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description:
        "Begins a game halfway through the one before, as long as that one had this many decisions or more after its own beginning: late positions are met more often. For n-tuple networks.",
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
          description:
            "Games that go on from the same place; those begun again from their middle (`restart`) are not counted.",
        }),
      },
      {
        additionalProperties: false,
        description:
          "Plays one game from the start up to where it can make this tile, makes it, and learns from `games` games that go on from there; the next game from the start follows. For the tables of late stages, with weights that get there. For n-tuple networks.",
      },
    ),
  ),
  threads: Type.Integer({
    minimum: 1,
    maximum: 64,
    default: 1,
    description:
      "Threads that learn the same tables at once without waiting for each other (Hogwild); with more than 1 the run is not reproducible. For n-tuple networks.",
  }),
  record: Type.Integer({
    minimum: 0,
    maximum: MOST_GAMES,
    default: 100,
    description: "Every how many games one is recorded whole; 0 records none.",
  }),
  monitor: monitorSchema,
};

/** The settings of a td-learner stage. */
export type TdLearnerSettings = SettingsOf<typeof tdLearnerSettings>;
/** What a stage that learns on line has; `replays`: only where policy gradients are. */
export type LearnerSettings = TdLearnerSettings & { readonly replays?: number };
/** Its setting `search`, where there is one. */
export type SearchSettings = NonNullable<TdLearnerSettings["search"]>;

/** The settings that the learning itself depends on. */
export function learnerOptions({
  lambda,
  step,
  rate,
  decay,
  traces,
  restart,
  begin,
  replays,
}: Pick<
  LearnerSettings,
  "lambda" | "step" | "rate" | "decay" | "traces" | "restart" | "begin" | "replays"
>): LearnerOptions {
  return {
    lambda,
    step: { use: step, rate },
    ...(decay === undefined ? {} : { decay }),
    ...(traces === undefined ? {} : { traces }),
    ...(restart === undefined ? {} : { restart }),
    ...(begin === undefined ? {} : { begin }),
    ...(replays === undefined ? {} : { replays }),
  };
}
