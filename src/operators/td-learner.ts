import { valuesOfLesser } from "../search/depth-first/downgrade.ts";
import { samplesNothing } from "../search/softmax/softmax-samples.ts";
import { netNames } from "./experiment/agent-net.ts";
import type { OpenExperiment } from "./experiment/open-experiment.ts";
import { operator } from "./operator.ts";
import { type Complaint, complainUnknown } from "./run/complaint.ts";
import { learnAgain } from "./learning/tables/learn-again.ts";
import { learnOnLine } from "./learning/tables/on-line-learner.ts";
import { learnsFound } from "./learning/tables/search-targets.ts";
import {
  learnerOptions,
  MOST_REPORTS,
  type SearchSettings,
  tdLearnerSettings,
  type TdLearnerSettings,
} from "./learning/tables/td-learner-settings.ts";
import { counted } from "../messages/counted.ts";

type Settings = TdLearnerSettings;

/** Learns a value function on tables by temporal differences, on line. */
export const tdLearner = operator({
  use: "td-learner",
  description:
    "Learns a value function on tables by temporal differences, from games that it plays greedily with the same value function.",
  example: "learn: { use: td-learner, net: value, games: 10000, every: 1000, lambda: 0.5, step: tc }",
  settings: tdLearnerSettings,
  inputs: {
    openings: {
      kind: "openings",
      description: "The stage whose openings the games begin with, for `exploration: { use: uct-opening }`",
      optional: true,
    },
  },
  output: "weights",
  learns: "net",
  check: (settings: Settings, { inputs, opened }) => {
    const complaints: Complaint[] = complainUnknown("net", "net", settings.net, opened.experiment.nets);
    const net = opened.nets.get(settings.net);
    const { exploration } = settings;
    if (net?.kind === "tables")
      complaints.push(...[net.refusal(learnerOptions(settings), exploration !== undefined) ?? []].flat());
    if (settings.search !== undefined)
      complaints.push(...searchComplaints(settings, settings.search, opened));
    if (net?.kind === "tables" && settings.threads > 1 && net.sharedLearning !== true)
      complaints.push({ key: "threads", message: `"${settings.net}" is learned by one thread alone` });
    const openings = inputs["openings"] !== undefined;
    if (openings !== (exploration?.use === "uct-opening"))
      complaints.push({
        key: openings ? "openings" : "exploration",
        message: openings
          ? "openings are begun with only by exploration: { use: uct-opening }"
          : "uct-opening needs the name of a stage that gives openings: openings: NAME",
      });
    if (net !== undefined && net.kind !== "tables")
      complaints.push({
        key: "net",
        message: `"${settings.net}" is not a value function on tables; learn it with a trainer`,
      });
    return complaints;
  },
  bounds: (settings: Settings) => [
    `${counted(settings.threads, "thread")}, stops after every ${settings.every} games until all readers are done`,
    `at most ${MOST_REPORTS} reports of games that are not written yet`,
  ],
  agents: ({ search }: Settings) => (search === undefined ? [] : [search.agent]),
  playsItself: true,
  work: ({ games, threads }: Settings) => ({ unit: "games", total: games, purpose: "learn", threads }),
  sharedBy: ({ threads }: Settings) => threads,
  offers: ({ net, games, every }: Settings) => ({ net, filling: 0, trainings: Math.ceil(games / every) }),
  replay: (settings: Settings, game) => learnAgain(settings, game),
  build: (settings: Settings, { openings }, env) => learnOnLine(settings, openings, env),
});

function searchComplaints(
  { net, threads, begin, restart }: Settings,
  { agent, after, targets }: SearchSettings,
  { experiment, nets }: OpenExperiment,
): Complaint[] {
  const config = experiment.agents[agent];
  if (config === undefined) return complainUnknown("search/agent", "agent", agent, experiment.agents);
  const open = nets.get(net);
  const wrong =
    netNames(config).join(" ") !== net
      ? `"${agent}" must play by the net that is learned, "${net}"`
      : open?.kind === "tables" && open.afterstates === undefined
        ? `"${net}" has no values of afterstates to be learned from searches`
        : threads > 1
          ? "a search's games are learned by one thread"
          : undefined;
  if (wrong !== undefined) return [{ key: threads > 1 ? "threads" : "search/agent", message: wrong }];
  if (begin !== undefined)
    return [
      { key: "begin", message: "the games of a search begin at the start: leave begin out, or search" },
    ];
  if (restart !== undefined && after === 0)
    return [
      {
        key: "restart",
        message:
          "only games that are played greedily are begun again, and with search.after: 0 there are none",
      },
    ];
  const unsampled = targets.use === "samples" ? samplesNothing(agent, config) : undefined;
  if (unsampled !== undefined) return [{ key: "search/targets", message: unsampled }];
  const lesser = learnsFound(targets) ? valuesOfLesser(agent, config) : undefined;
  if (lesser !== undefined)
    return [{ key: "search/targets", message: `${lesser}, or learn returns or eval-value` }];
  return [];
}
