import * as Effect from "effect/Effect";
import { operator } from "./operator.ts";
import { type Complaint, complainUnknown } from "./run/complaint.ts";
import { gamesInFlight } from "./run/parallelism.ts";
import { policyGame, PolicyGames } from "./measuring/statistics/policy-games.ts";
import {
  type PolicyStatisticsSettings,
  policyStatisticsSettings,
} from "./measuring/statistics/policy-statistics-settings.ts";
import { rounds, roundsOf } from "./measuring/match/rounds.ts";
import { equalRounds, seatShares } from "./run/stage-work.ts";

/** Plays games to examine the policy of a net. */
export const policyStatistics = operator({
  use: "policy-statistics",
  description:
    "Plays games to examine a policy: for each ply the number of legal moves, the probability of the likeliest moves together, and the rank of the move that the search chose.",
  example: "policy: { use: policy-statistics, after: weights, agent: player, games: 30, plies: 4 }",
  settings: policyStatisticsSettings,
  inputs: {
    after: {
      kind: "weights",
      description:
        "The learner whose versions are examined. If absent, one round is played after all learning, with the final weights",
      optional: true,
    },
  },
  output: "results",
  resultEvent: "policy-statistics",
  check: ({ agent, opponent, tops }: PolicyStatisticsSettings, { opened }) => {
    const { agents } = opened.experiment;
    const complaints: Complaint[] = complainUnknown("agent", "agent", agent, agents);
    if (opponent !== undefined) complaints.push(...complainUnknown("opponent", "agent", opponent, agents));
    if (opponent !== undefined && opened.game.players === 1)
      complaints.push({
        key: "opponent",
        message: `no seat is left for an opponent in ${opened.game.name}`,
      });
    const net = agents[agent]?.net;
    if (Object.hasOwn(agents, agent) && !(net !== undefined && opened.nets.get(net)?.hasPolicy))
      complaints.push({ key: "agent", message: `"${agent}" has no net with a policy to examine` });
    if (tops.some((top, i) => i > 0 && top <= tops[i - 1]!))
      complaints.push({ key: "tops", message: "the numbers of moves must increase" });
    return complaints;
  },
  bounds: ({ inFlight }: PolicyStatisticsSettings, { opened }) => [
    `at most ${gamesInFlight(opened, inFlight)} games under way`,
  ],
  agents: ({ agent, opponent }: PolicyStatisticsSettings) => [
    agent,
    ...(opponent === undefined ? [] : [opponent]),
  ],
  playsMeanwhile: ({ every }: PolicyStatisticsSettings) => every > 0,
  work: ({ agent, every, games, opponent }: PolicyStatisticsSettings, view) => {
    const count = roundsOf(every, view);
    const deciders = seatShares(
      Array.from({ length: view.opened.game.players }, (_, seat) =>
        seat === 0 ? agent : (opponent ?? agent),
      ),
    );
    return {
      unit: "games",
      total: games * count,
      purpose: "measure",
      deciders,
      rounds: equalRounds(count, [{ units: games, deciders }]),
    };
  },
  replay: (settings: PolicyStatisticsSettings, { view, record }, play) =>
    play(
      policyGame(view.opened, view.name, settings, record.game, record.generation),
      view.inputs["after"] === undefined ? "last" : "learned",
    ),
  build: (settings: PolicyStatisticsSettings, { after }, env) =>
    Effect.sync(() => {
      const games = new PolicyGames(settings, env);
      return rounds(after, settings.every, env, games.nets, (round) => games.round(round));
    }),
});
