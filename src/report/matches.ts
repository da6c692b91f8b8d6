import type { AgentResult } from "../events/event.ts";
import { participantNamed } from "../operators/experiment/participant.ts";
import { experimentSettings, type WithExperiment } from "./experiment-settings.ts";
import { type EventOf, eventsOf, grouped, type RunData } from "./run-data.ts";

/** Matches with the agents that played at least one game in them. */
export type Match = EventOf<"match">;

/** What matches are read from. */
type Matches = Pick<RunData, "events"> & WithExperiment;

/**
 * All matches, agents without games left out: in the order of their stages in the experiment, and of each stage by
 * learning. So the order does not depend on which of two stages was done first.
 */
export function matchesOf(run: Matches): Match[] {
  return grouped(eventsOf(run, "match"), ({ stage }) => stage)
    .flatMap(([, matches]) => matches.toSorted((a, b) => a.learned - b.learned))
    .map((match) => ({
      ...match,
      agents: match.agents.filter(({ games }) => games > 0),
    }))
    .filter(({ agents }) => agents.length > 0);
}

/** Matches of which no game counts, because a player failed in all of them: their last round of each stage. */
export function failedMatches(run: Pick<RunData, "events">): Match[] {
  return grouped(eventsOf(run, "match"), ({ stage }) => stage)
    .map(([, matches]) => matches.at(-1)!)
    .filter(({ agents, contest }) => contest !== undefined && agents.every(({ games }) => games === 0));
}

/** Whether one agent had all the seats of a game of several players: its share of games won is a constant. */
export function playedItself({ agents, contest }: Pick<Match, "agents" | "contest">): boolean {
  return contest !== undefined && agents.filter(({ games }) => games > 0).length === 1;
}

/**
 * Whether the returns of a match are shares of a win: then its mean scores are shares of games won, and say nothing more.
 * Between 0 and 1 are also places: of those the mean is another than the share of games won.
 */
export function playedForShares({ agents, contest }: Pick<Match, "agents" | "contest">): boolean {
  if (contest === undefined) return false;
  const wins = new Map(contest.standings.map((standing) => [standing.agent, standing.wins.value]));
  return agents.every(
    ({ agent, mean, returns }) =>
      returns.every((value) => value >= 0 && value <= 1) &&
      (contest.players === 2 || Math.abs(mean - (wins.get(agent) ?? NaN)) < 1e-9),
  );
}

/** The number of an agent's style: the same in every figure. */
export type AgentStyles = (agent: string) => number;

/** Styles numbered in the order in which the agents first appear in the matches; earlier selves come after all agents. */
export function agentStyles(run: Matches): AgentStyles {
  const names = [...new Set(matchesOf(run).flatMap((match) => match.agents.map(({ agent }) => agent)))];
  const agents = [...names.filter((name) => !isEarlierSelf(name)), ...names.filter(isEarlierSelf)];
  return (agent) => Math.max(0, agents.indexOf(agent));
}

/** Whether a name is that of an agent with the weights of an earlier version. */
function isEarlierSelf(name: string): boolean {
  return participantNamed(name).version !== undefined;
}

/**
 * The last match of each stage, in the order of the stages in the experiment. While a run is at work, stages may measure one
 * learner without having all measured its newest version: those that are behind the others in learning come first.
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

/** Whether the stage of a match plays once, after all learning. */
export function playsAfterAll(run: Matches, match: Match): boolean {
  return learnerOf(run, match) === undefined;
}

/** The stage whose learning a stage of matches follows; none if it plays after all learning. */
function learnerOf(run: Matches, { stage }: Match): unknown {
  return (experimentSettings(run)?.graph[stage] as { readonly after?: unknown } | undefined)?.after;
}

/** The amount of learning before a match: `12,000 games` or `40,000 steps`. */
export function learnedText({ learned, unit }: Pick<Match, "learned" | "unit">): string {
  return `${learned.toLocaleString("en-US")} ${learned === 1 ? unit.slice(0, -1) : unit}`;
}

/** The label of an axis of learning. */
export function learnedLabel(unit: Match["unit"]): string {
  return unit === "games" ? "Games learned" : "Training steps";
}

/** The agents from the best to the worst mean. */
export function ranked(match: Match): AgentResult[] {
  return match.agents.toSorted((a, b) => b.mean - a.mean);
}

/**
 * Whether the i-th games of two agents of a match belong together: they played equally many, reported in the order of the
 * games. Games of several players are compared by who was ahead of whom instead: there not all play in every game.
 */
export function playedSameGames({ contest }: Match, a: AgentResult, b: AgentResult): boolean {
  return contest === undefined && a.returns.length === b.returns.length && a.returns.length > 1;
}
