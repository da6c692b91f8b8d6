import type { AgentEffort, AgentResult } from "../events/event.ts";
import { equalTimeText, unequalTexts } from "../events/equal-time.ts";
import {
  limitText,
  millisecondsADecision,
  millisecondsByPart,
  shortageText,
} from "../events/match-effort.ts";
import { column, type ColumnOf } from "../formats/table.ts";
import type { AgentConfig } from "../operators/experiment/open-experiment.ts";
import { type Estimate, ratioEstimate } from "../stats/intervals.ts";
import type { Match } from "./matches.ts";
import { eventsOf, grouped, type RunData } from "./run-data.ts";

/** An agent in the last match of a stage, and the effort of its games. */
export interface Measured {
  readonly match: Match;
  readonly result: AgentResult;
  /** The kind of search. */
  readonly kind: string;
  /** All its other settings: agents that differ only in their simulations share them. */
  readonly family: string;
  /** Simulations a move, those of all its trees; undefined if it does not simulate. */
  readonly simulations: number | undefined;
  readonly decisions: number;
  /** Evaluations a decision: mean over all its decisions; not-a-number if unknown. */
  readonly evaluations: number;
  /** Milliseconds of processor time a decision: mean over all its decisions; not-a-number if unknown. */
  readonly milliseconds: number;
  /** Points in a second of processor time; undefined if fewer than two games have known times. */
  readonly scorePerSecond: Estimate | undefined;
}

/** Milliseconds of processor time that a decision of an agent took in a match; not-a-number if unknown. */
export function millisecondsOf(run: Pick<RunData, "events">, match: Match, agent: string): number {
  const own = effortIn(run, match)?.agents.find((each) => each.agent === agent);
  return own === undefined ? NaN : millisecondsADecision(own);
}

/** The columns of the parts of this time; none if evaluators computed no net of these matches in other threads. */
export function partColumns(
  run: Pick<RunData, "events">,
  matches: readonly Match[],
): ColumnOf<{ readonly match: Match; readonly agent: string }>[] {
  const waited = matches.some((match) =>
    effortIn(run, match)?.agents.some(({ evaluatorSeconds }) => evaluatorSeconds !== undefined),
  );
  if (!waited) return [];
  const partOf = (match: Match, agent: string) => {
    const own = effortIn(run, match)?.agents.find((each) => each.agent === agent);
    return own && millisecondsByPart(own);
  };
  return [
    column.number("of its search", ({ agent, match }) => partOf(match, agent)?.search),
    column.number("of evaluators", ({ agent, match }) => partOf(match, agent)?.evaluators),
  ];
}

/** The column of the time limits that have ended decisions in these matches; none if no limit has. */
export function limitColumns(
  run: Pick<RunData, "events">,
  matches: readonly Match[],
): ColumnOf<{ readonly match: Match; readonly agent: string }>[] {
  const limited = matches.some((match) =>
    effortIn(run, match)?.agents.some((agent) => agent.limited !== undefined),
  );
  return limited ? [column.text("time limit", ({ agent, match }) => limitOf(run, match, agent))] : [];
}

/** The time limits of an agent in a match; undefined if none has ended a decision. */
function limitOf(run: Pick<RunData, "events">, match: Match, agent: string): string | undefined {
  const own = effortIn(run, match)?.agents.find((each) => each.agent === agent);
  return own && limitText(own);
}

/** A sentence for each agent that got less than 90% of its time limits in a match. */
export function shortagesOf(run: Pick<RunData, "events">, match: Match): string[] {
  return (effortIn(run, match)?.agents ?? []).flatMap((each) => shortageText(each) ?? []);
}

/** The simulations that a stage has fixed by measured times; undefined if it has fixed none. */
function equalTimeOf(run: Pick<RunData, "events">, stage: string) {
  return eventsOf(run, "equal-time").findLast((event) => event.stage === stage);
}

/** What the stage of a match has fixed by measured times, and what is not equal, a line each; none if it has fixed nothing. */
export function fixedTexts(run: Pick<RunData, "events">, { stage }: Pick<Match, "stage">): string[] {
  const fixed = equalTimeOf(run, stage);
  if (fixed === undefined) return [];
  return [equalTimeText(fixed), ...unequalTexts(fixed)].map((text) => `equal time: ${text}`);
}

function effortIn(run: Pick<RunData, "events">, match: Match) {
  return eventsOf(run, "effort").findLast(
    ({ learned, stage }) => stage === match.stage && learned === match.learned,
  );
}

/** The agents of a match with a known effort, with their settings from the experiment. */
export function measuredAgents(
  run: RunData,
  match: Match,
  configs: Readonly<Record<string, AgentConfig>>,
): Measured[] {
  const effort = effortIn(run, match);
  const fixed = equalTimeOf(run, match.stage)?.agents;
  return match.agents.flatMap((result) => {
    const config = configs[result.agent];
    const took = effort?.agents.find(({ agent }) => agent === result.agent);
    if (config === undefined || took === undefined || took.decisions.length !== result.games) return [];
    const {
      simulations: written,
      trees = 1,
      ...rest
    } = config as AgentConfig & {
      readonly simulations?: number;
      readonly trees?: number;
    };
    const simulations = fixed?.find(({ agent }) => agent === result.agent)?.simulations ?? written;
    return [
      {
        match,
        result,
        kind: config.use,
        family: JSON.stringify([
          match.stage,
          trees,
          Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1)),
        ]),
        simulations: simulations === undefined ? undefined : simulations * trees,
        ...means(result, took),
      },
    ];
  });
}

function means({ returns }: AgentResult, effort: AgentEffort) {
  const { decisions, evaluations, seconds } = effort;
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const known = [...seconds.keys()].filter((i) => seconds[i]! > 0);
  const of = (values: readonly number[]) => known.map((i) => values[i]!);
  return {
    decisions: sum(decisions) / decisions.length,
    evaluations: sum(evaluations) / sum(decisions),
    milliseconds: millisecondsADecision(effort),
    scorePerSecond: known.length < 2 ? undefined : ratioEstimate(of(returns), of(seconds)),
  };
}

/** Agents of a stage that differ only in their simulations, from the fewest to the most. */
export function laddersOf(measured: readonly Measured[]): Measured[][] {
  return grouped(
    measured.filter(({ simulations }) => simulations !== undefined),
    ({ family }) => family,
  )
    .map(([, ladder]) => ladder.toSorted((a, b) => a.simulations! - b.simulations!))
    .filter((ladder) => ladder.length > 1);
}

/** Every agent once: from the match in which it has played most games. */
export function mostPlayed(measured: readonly Measured[]): Measured[] {
  return grouped(measured, ({ result }) => result.agent).map(
    ([, same]) => same.toSorted((a, b) => b.result.games - a.result.games)[0]!,
  );
}

/** `softmax` of `softmax-10` and `softmax-25`; else the kind of search; the name of an agent that is alone. */
export function labelOf(ladder: readonly Measured[]): string {
  const [first, ...rest] = ladder.map(({ result }) => result.agent);
  if (rest.length === 0) return first!;
  let shared = first!;
  for (const name of rest) while (!name.startsWith(shared)) shared = shared.slice(0, -1);
  return shared.replace(/[^\p{L}]+$/u, "") || ladder[0]!.kind;
}
