import type { MatchResult, RecordedEvent } from "../events/event.ts";
import { netNames } from "../operators/experiment/agent-net.ts";
import type { Experiment } from "../operators/experiment/open-experiment.ts";
import { operatorOf } from "../operators/registry.ts";
import { lastMatches, playedItself } from "../report/matches.ts";
import type { Estimate } from "../stats/intervals.ts";

/** What an agent has reached in a match. */
export interface AgentScore extends Estimate {
  /** A share of the games won (Wilson's interval), or a mean score (Student's t). */
  readonly measure: "share won" | "mean score";
  readonly games: number;
}

/** The result of a run's last match. */
export interface LastResult extends AgentScore {
  readonly stage: string;
  readonly agent: string;
  readonly learned: number;
  readonly unit: MatchResult["unit"];
}

/**
 * What an agent has reached in a match: in games of several players its share of games won, else its mean score. Undefined
 * if none of its games counts, as those of a program that never started.
 */
export function agentScore({ agents, contest }: MatchResult, agent: string): AgentScore | undefined {
  const result = agents.find((each) => each.agent === agent);
  if (result === undefined || result.games === 0) return undefined;
  const wins = contest?.standings.find((standing) => standing.agent === agent)?.wins;
  if (wins === undefined)
    return { measure: "mean score", games: result.games, value: result.mean, interval: result.interval };
  return wins.games === 0
    ? undefined
    : { measure: "share won", games: wins.games, value: wins.value, interval: wins.interval };
}

/**
 * The result in the headline of the report: it depends on learning and on the experiment's file, never on the clock. It is
 * that of the last match's best agent that learns, or of its best agent if none does.
 */
export function lastResult(events: readonly RecordedEvent[], experiment: Experiment): LastResult | undefined {
  const match = lastMatches({ events, experiment }).at(-1);
  if (match === undefined || playedItself(match)) return undefined;
  const { learned, stage, unit } = match;
  const scores = match.agents.flatMap(({ agent }) => {
    const score = agentScore(match, agent);
    return score === undefined ? [] : [{ stage, agent, learned, unit, ...score }];
  });
  const learners = scores.filter(({ agent }) => learns(agent, experiment));
  return (learners.length > 0 ? learners : scores).toSorted((a, b) => b.value - a.value)[0];
}

/** Whether an agent plays with a net that a stage learns. */
function learns(agent: string, { agents, graph }: Experiment): boolean {
  const learned = new Set(
    Object.values(graph).flatMap((config) => {
      const key = operatorOf(config)?.learns;
      return key === undefined ? [] : [String(config[key])];
    }),
  );
  return netNames(agents[agent] ?? {}).some((net) => learned.has(net));
}
