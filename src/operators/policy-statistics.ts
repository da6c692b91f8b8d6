import * as Effect from "effect/Effect";
import { Type } from "../schema.ts";
import { usualAnalysis } from "./play/analysed-search.ts";
import { retriesSchema } from "./play/game-players.ts";
import { MOST_GAMES } from "./experiment/most-games.ts";
import { openingsSchema } from "./play/openings.ts";
import { type Complaint, complainUnknown, operator, type SettingsOf } from "./operator.ts";
import { gamesInFlight, inFlightSchema } from "./run/parallelism.ts";
import { PolicyGames } from "./statistics/policy-games.ts";
import { everySchema, rounds } from "./match/rounds.ts";

const settings = {
  agent: Type.String({
    description: "The agent whose net's policy is looked at (a name under agents); the net needs a policy.",
  }),
  opponent: Type.Optional(
    Type.String({
      description:
        "The agent in all the other seats (a name under agents); the seat of the first changes from game to game. Without it the first plays in every seat.",
    }),
  ),
  games: Type.Integer({
    minimum: 1,
    maximum: MOST_GAMES,
    default: 30,
    description: "Games in a round, all of them analysed.",
  }),
  every: everySchema(0),
  plies: openingsSchema.properties.plies,
  tops: Type.Array(Type.Integer({ minimum: 1, maximum: 1_000_000, description: "A number of moves." }), {
    minItems: 1,
    maxItems: 8,
    default: [...usualAnalysis.tops],
    description: "Of how many likeliest moves the probability together is told, increasing.",
  }),
  moves: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: usualAnalysis.moves,
    description: "Moves of each decision that are kept for looking at the game.",
  }),
  inFlight: inFlightSchema,
  retries: retriesSchema,
};

/** The settings of a stage of policy statistics, as its code sees them. */
export type PolicyStatisticsSettings = SettingsOf<typeof settings>;

/** Plays games to see what a policy net says in them. */
export const policyStatistics = operator({
  use: "policy-statistics",
  description:
    "Plays games and tells, by the plies played, how many moves were legal, how much of the net's policy the likeliest moves hold, and which of them the search chose. The games can be gone through in the report.",
  example: "policy: { use: policy-statistics, after: weights, agent: player, games: 30, plies: 4 }",
  settings,
  inputs: {
    after: {
      kind: "weights",
      description:
        "The learner whose versions are looked at; without it one round is played, with final weights: when all that is learned has been learned",
      optional: true,
    },
  },
  output: "results",
  check: ({ agent, opponent, tops }: PolicyStatisticsSettings, { opened }) => {
    const { agents } = opened.experiment;
    const complaints: Complaint[] = complainUnknown("agent", "agent", agent, agents);
    if (opponent !== undefined) complaints.push(...complainUnknown("opponent", "agent", opponent, agents));
    if (opponent !== undefined && opened.game.players === 1)
      complaints.push({
        key: "opponent",
        message: `there is no seat for an opponent in ${opened.game.name}`,
      });
    const net = agents[agent]?.net;
    if (Object.hasOwn(agents, agent) && !(net !== undefined && opened.nets.get(net)?.hasPolicy))
      complaints.push({ key: "agent", message: `"${agent}" has no net with a policy to look at` });
    if (tops.some((top, i) => i > 0 && top <= tops[i - 1]!))
      complaints.push({ key: "tops", message: "the numbers of moves must increase" });
    return complaints;
  },
  bounds: ({ inFlight }: PolicyStatisticsSettings, { opened }) => [
    `at most ${gamesInFlight(opened, inFlight)} games under way`,
  ],
  build: (settings: PolicyStatisticsSettings, { after }, env) =>
    Effect.sync(() => {
      const games = new PolicyGames(settings, env);
      return rounds(after, settings.every, env, games.nets, (round) => games.round(round));
    }),
});
