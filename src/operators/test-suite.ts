import * as Effect from "effect/Effect";
import { netNames } from "./experiment/agent-net.ts";
import { rounds, roundsOf } from "./match/rounds.ts";
import { type Complaint, complainUnknown, operator, type StageView } from "./operator.ts";
import { gamesInFlight } from "./run/parallelism.ts";
import { RunFailed } from "./run/run-error.ts";
import { readSuite, SuiteUnusable } from "./suite/suite-file.ts";
import { SuiteRounds } from "./suite/suite-rounds.ts";
import { type SuiteSettings, suiteSettings } from "./suite/suite-settings.ts";

/** Tests agents on positions whose right moves are known. */
export const testSuite = operator({
  use: "test-suite",
  description:
    "Tests agents on positions of a file whose right moves are known: the share of positions in which an agent plays one of them, once or repeatedly during learning. Agents without a net are tested once.",
  example: "suite: { use: test-suite, after: weights, file: positions.csv, agents: [learner] }",
  settings: suiteSettings,
  inputs: {
    after: {
      kind: "weights",
      description:
        "The learner whose versions are tested. If absent, one round is played after all learning, with the final weights",
      optional: true,
    },
  },
  output: "results",
  tells: "suite",
  check: (settings: SuiteSettings, view) => [
    ...agentComplaints(settings, view),
    ...fileComplaints(settings, view),
  ],
  bounds: ({ inFlight }: SuiteSettings, { opened }) => [
    `at most ${gamesInFlight(opened, inFlight)} decisions under way`,
  ],
  agents: ({ agents }: SuiteSettings) => agents,
  readsAgain: ({ file }: SuiteSettings) => [file],
  playsMeanwhile: ({ every }: SuiteSettings) => every > 0,
  work: (settings: SuiteSettings, view) => {
    const decisions = decisionsOf(settings, view);
    const total = Object.values(decisions).reduce((sum, count) => sum + count, 0);
    if (total === 0) return undefined;
    const deciders = Object.entries(decisions).map(([agent, count]) => [agent, count / total] as const);
    return {
      unit: "games",
      total,
      purpose: "measure",
      plies: 1,
      deciders: Object.fromEntries(deciders),
    };
  },
  build: (settings: SuiteSettings, { after }, env) =>
    Effect.try({
      try: () => new SuiteRounds(settings, env),
      catch: (error) => {
        if (error instanceof SuiteUnusable) return new RunFailed({ stage: env.stage, reason: error.message });
        throw error;
      },
    }).pipe(
      Effect.map((suite) => rounds(after, settings.every, env, suite.nets, (round) => suite.round(round))),
    ),
});

/** By agent: its decisions in the whole run. */
function decisionsOf(
  { agents, every, file, positions }: SuiteSettings,
  view: StageView,
): Readonly<Record<string, number>> {
  const count = Math.min(positions ?? Infinity, readSuite(view.opened.game, file).length);
  return Object.fromEntries(
    agents.map((agent) => {
      const learns = netNames(view.opened.experiment.agents[agent]!).length > 0;
      return [agent, count * (learns ? roundsOf(every, view) : 1)];
    }),
  );
}

function agentComplaints({ agents }: SuiteSettings, { opened }: StageView): Complaint[] {
  const complaints: Complaint[] = agents.flatMap((agent, i) =>
    complainUnknown(`agents/${i}`, "agent", agent, opened.experiment.agents),
  );
  if (new Set(agents).size < agents.length)
    complaints.push({ key: "agents", message: "an agent is named twice" });
  return complaints;
}

function fileComplaints({ file }: SuiteSettings, { opened }: StageView): Complaint[] {
  try {
    readSuite(opened.game, file);
    return [];
  } catch (error) {
    if (!(error instanceof SuiteUnusable)) throw error;
    return [{ key: "file", message: error.message }];
  }
}
