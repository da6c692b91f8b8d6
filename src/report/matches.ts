import type { AgentResult } from "../events/event.ts";
import { participantNamed } from "../operators/experiment/participant.ts";
import { experimentSettings } from "./experiment-settings.ts";
import { type EventOf, eventsOf, grouped, type RunData } from "./run-data.ts";

/** Matches with the agents that played at least one game in them. */
export type Match = EventOf<"match">;

/** What matches are read from. */
type Matches = Pick<RunData, "events" | "experiment">;

/**
 * All matches, agents without games left out: in the order of their stages in the experiment, and of each stage by
 * learning. So the order does not depend on which of two stages was done first.
 */
export function matchesOf(run: Matches): Match[] {
  return grouped(eventsOf(run, "match"), ({ stage }) => stage)
    .flatMap(([, matches]) => matches.toSorted((a, b) => a.learned - b.learned))
    .map((match) => ({ ...match, agents: match.agents.filter(({ games }) => games > 0) }))
    .filter(({ agents }) => agents.length > 0);
}

/** The number of an agent's style: the same in every figure. */
export type AgentStyles = (agent: string) => number;

/** Styles numbered in the order in which the agents first appear in the matches; earlier selves come after all agents. */
export function agentStyles(run: Matches): AgentStyles {
  const names = [...new Set(matchesOf(run).flatMap((match) => match.agents.map(({ agent }) => agent)))];
  const agents = [...names.filter((name) => !isEarlierSelf(name)), ...names.filter(isEarlierSelf)];
  return (agent) => Math.max(0, agents.indexOf(agent));
}

/** Whether a name stands for an agent with the weights of an earlier version. */
function isEarlierSelf(name: string): boolean {
  return participantNamed(name).version !== undefined;
}

/**
 * The last match of each stage, in the order of the stages in the experiment. Those that stand behind the others in learning
 * come first, while a run goes on: of stages that measure one learner, and have not all measured its newest version.
 */
export function lastMatches(run: Matches): Match[] {
  const last = grouped(matchesOf(run), ({ stage }) => stage).map(([, matches]) => matches.at(-1)!);
  const behind = (match: Match) => {
    const learner = learnerOf(run, match);
    return (
      learner !== undefined &&
      last.some((other) => learnerOf(run, other) === learner && other.learned > match.learned)
    );
  };
  return last.toSorted((a, b) => Number(behind(b)) - Number(behind(a)));
}

/** The stage whose learning a stage of matches follows; none where it plays after all learning. */
function learnerOf(run: Matches, { stage }: Match): unknown {
  return (experimentSettings(run)?.graph[stage] as { readonly after?: unknown } | undefined)?.after;
}

/** The amount of learning before a match: `12,000 games` or `40,000 steps`. */
export function learnedText({ learned, unit }: Pick<Match, "learned" | "unit">): string {
  return `${learned.toLocaleString("en-US")} ${learned === 1 ? unit.slice(0, -1) : unit}`;
}

/** The label of an axis along which learning goes on. */
export function learnedLabel(unit: Match["unit"]): string {
  return unit === "games" ? "Games learned" : "Training steps";
}

/** The agents from the best to the worst mean. */
export function ranked(match: Match): AgentResult[] {
  return match.agents.toSorted((a, b) => b.mean - a.mean);
}

/**
 * Whether the i-th games of two agents of a match belong together: they played equally many, told in the order of the
 * games. Games of several players are compared by who was ahead of whom instead: there not all play in every game.
 */
export function playedSameGames({ contest }: Match, a: AgentResult, b: AgentResult): boolean {
  return contest === undefined && a.returns.length === b.returns.length && a.returns.length > 1;
}
