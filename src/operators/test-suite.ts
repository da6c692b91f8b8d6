import * as Effect from "effect/Effect";
import { netNames } from "./experiment/agent-net.ts";
import { rounds, roundsOf } from "./measuring/match/rounds.ts";
import { operator, type StageView } from "./operator.ts";
import { type Complaint, complainUnknown } from "./run/complaint.ts";
import { gamesInFlight } from "./run/parallelism.ts";
import { RunFailed } from "./run/run-error.ts";
import { type RoundsOfWork, unitsOf } from "./run/stage-work.ts";
import { readSuite, SuiteUnusable } from "./measuring/suite/suite-file.ts";
import { SuiteRounds } from "./measuring/suite/suite-rounds.ts";
import { type SuiteSettings, suiteSettings } from "./measuring/suite/suite-settings.ts";

/** Tests agents on positions whose right moves are known. */
export const testSuite = operator({
  use: "test-suite",
  description:
    "Tests agents on positions of a file whose right moves are known: the share in which an agent plays one of them, once or repeatedly during learning.",
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
  resultEvent: "suite",
  check: (settings: SuiteSettings, view) => [
    ...agentComplaints(settings, view),
    ...fileComplaints(settings, view),
    ...valueComplaints(settings, view),
  ],
  bounds: ({ inFlight }: SuiteSettings, { opened }) => [
    `at most ${gamesInFlight(opened, inFlight)} decisions under way`,
  ],
  agents: ({ agents }: SuiteSettings) => agents,
  readsAgain: ({ file }: SuiteSettings) => [file],
  playsMeanwhile: ({ every }: SuiteSettings) => every > 0,
  work: (settings: SuiteSettings, view) => {
    const rounds = suiteWork(settings, view);
    const shares = new Map<string, number>();
    const total = unitsOf(rounds.first) + (rounds.count - 1) * unitsOf(rounds.each);
    if (total === 0) return undefined;
    for (const [parts, times] of [[rounds.first, 1] as const, [rounds.each, rounds.count - 1] as const])
      for (const { deciders, units } of parts)
        for (const agent of Object.keys(deciders))
          shares.set(agent, (shares.get(agent) ?? 0) + (times * units) / total);
    return {
      unit: "games",
      total,
      purpose: "measure",
      plies: 1,
      deciders: Object.fromEntries(shares),
      rounds,
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

/** The decisions of each round, one agent after the other; those without a net decide in the first round only. */
function suiteWork({ agents, every, file, positions }: SuiteSettings, view: StageView): RoundsOfWork {
  const units = Math.min(positions ?? Infinity, readSuite(view.opened.game, file).length);
  const learns = (agent: string) => netNames(view.opened.experiment.agents[agent]!).length > 0;
  const parts = (those: readonly string[]) => those.map((agent) => ({ units, deciders: { [agent]: 1 } }));
  return { count: roundsOf(every, view), first: parts(agents), each: parts(agents.filter(learns)) };
}

function agentComplaints({ agents }: SuiteSettings, { opened }: StageView): Complaint[] {
  const complaints: Complaint[] = agents.flatMap((agent, i) =>
    complainUnknown(`agents/${i}`, "agent", agent, opened.experiment.agents),
  );
  if (new Set(agents).size < agents.length)
    complaints.push({ key: "agents", message: "an agent is named twice" });
  return complaints;
}

function fileComplaints({ by, file, values }: SuiteSettings, { opened }: StageView): Complaint[] {
  try {
    readSuite(opened.game, file, { by, values });
    return [];
  } catch (error) {
    if (!(error instanceof SuiteUnusable)) throw error;
    return [{ key: "file", message: error.message }];
  }
}

function valueComplaints({ values }: SuiteSettings, { opened: { game } }: StageView): Complaint[] {
  return values && game.players !== 2
    ? [
        {
          key: "values",
          message: `outcomes are of games of two players, and ${game.name} has ${game.players}`,
        },
      ]
    : [];
}
