import type { MatchResult, RecordedEvent } from "../../events/event.ts";
import { connectedPorts } from "../../graph/stage-view.ts";
import type { Experiment } from "../../operators/experiment/open-experiment.ts";
import { operatorOf } from "../../operators/registry.ts";
import { placesOfStages } from "../../report/stage-order.ts";
import { eloOfScore } from "../../stats/elo.ts";
import { type AgentScore, agentScore } from "../last-result.ts";

/** What an agent reached in the rounds of a stage of one run. */
export interface RunCurve {
  readonly stage: string;
  readonly agent: string;
  /** The unit of `learned`. */
  readonly unit: MatchResult["unit"];
  readonly points: readonly CurvePoint[];
}

/** A round of matches, after an amount of learning. */
export interface CurvePoint extends AgentScore {
  readonly learned: number;
  /** Games that were played to learn from, and optimiser steps; undefined if the learner has none, or does not report them. */
  readonly played: number | undefined;
  readonly steps: number | undefined;
  /** Processor seconds of the whole run until this much was learned, measuring included; undefined in runs of earlier versions. */
  readonly seconds: number | undefined;
  /** The return of every game, in game order. */
  readonly returns: readonly number[];
  /**
   * Elo above the opponent, in matches of two agents in games of two players. Half a game is added to either side, so that it is finite
   * if one side won all.
   */
  readonly elo?: number;
}

type Graph = Experiment["graph"];

/** The curves of a run, from the events that count: in the order of their stages in the experiment, never by the clock. */
export function curvesOf(events: readonly RecordedEvent[], experiment: Experiment): RunCurve[] {
  const curves = new Map<
    string,
    { readonly curve: Omit<RunCurve, "points">; readonly points: CurvePoint[] }
  >();
  const spent = processorTime(events);
  for (const match of events) {
    if (match.type !== "match") continue;
    const { learned, stage, unit } = match;
    const place = placeOf(match, events, experiment.graph, spent);
    for (const { agent, returns } of match.agents) {
      const score = agentScore(match, agent);
      if (score === undefined) continue;
      const key = JSON.stringify([stage, agent]);
      const points = curves.get(key)?.points ?? [];
      points.push({ learned, ...place, ...score, returns, ...eloOf(match, score) });
      curves.set(key, { curve: { stage, agent, unit }, points });
    }
  }
  const stagePlace = placesOfStages({ experiment });
  return [...curves.values()]
    .map(({ curve, points }) => ({ ...curve, points: points.toSorted((a, b) => a.learned - b.learned) }))
    .toSorted((a, b) => stagePlace(a.stage) - stagePlace(b.stage));
}

function eloOf({ agents, contest }: MatchResult, { games, value }: AgentScore): Pick<CurvePoint, "elo"> {
  if (agents.length !== 2 || contest?.players !== 2) return {};
  return { elo: eloOfScore((value * games + 0.5) / (games + 1)) };
}

/** The position of a round of matches on the axes of a curve: when its version had been learned. */
function placeOf(
  { learned, stage, unit, elapsed }: Extract<RecordedEvent, { type: "match" }>,
  events: readonly RecordedEvent[],
  graph: Graph,
  spent: (elapsed: number) => number | undefined,
): Pick<CurvePoint, "played" | "steps" | "seconds"> {
  const learner = followedLearner(graph, stage);
  const before = learner === undefined ? new Set<string>() : stagesBehind(graph, learner);
  let played: number | undefined;
  let steps: number | undefined;
  let at = elapsed;
  const games = new Map<string, number>();
  for (const event of events) {
    if (!("stage" in event) || event.stage === undefined || !before.has(event.stage)) continue;
    if (event.type === "games") games.set(event.stage, event.done);
    if (event.type === "pool-games" && event.step <= learned)
      games.set(event.stage, (games.get(event.stage) ?? 0) + event.games);
    const reached =
      event.stage !== learner
        ? -1
        : event.type === "training" || event.type === "pool-games"
          ? event.step
          : event.type === "games"
            ? event.done
            : -1;
    if (reached < learned) continue;
    at = Math.min(elapsed, event.elapsed);
    break;
  }
  if (unit === "games") played = learned;
  else {
    steps = learned;
    const sum = [...games.values()].reduce((total, count) => total + count, 0);
    played = learned === 0 ? 0 : games.size === 0 ? undefined : sum;
  }
  return { played, steps, seconds: spent(learned === 0 ? 0 : at) };
}

/** The stage whose learning a stage follows; undefined if it follows none. */
function followedLearner(graph: Graph, stage: string): string | undefined {
  const config = graph[stage];
  const operator = config && operatorOf(config);
  if (operator === undefined) return undefined;
  for (const from of Object.values(connectedPorts(operator, config!, graph))) {
    if (operatorOf(graph[from]!)?.learns !== undefined) return from;
    const further = followedLearner(graph, from);
    if (further !== undefined) return further;
  }
  return undefined;
}

/** A stage and all stages that it reads, directly or through others. */
function stagesBehind(graph: Graph, stage: string): Set<string> {
  const found = new Set<string>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    const operator = operatorOf(graph[name]!);
    if (operator !== undefined)
      for (const from of Object.values(connectedPorts(operator, graph[name]!, graph))) visit(from);
  };
  visit(stage);
  return found;
}

/** Processor seconds that a run had used at a moment of its time at work, by straight lines between the flows that record it. */
function processorTime(events: readonly RecordedEvent[]): (elapsed: number) => number | undefined {
  const flows = events.filter((event) => event.type === "machine-flow");
  if (flows.length === 0) return () => undefined;
  return (elapsed) => {
    let sum = 0;
    for (const { elapsed: end, processor, seconds } of flows) {
      const share = seconds === 0 ? 1 : (elapsed - (end - seconds)) / seconds;
      sum += processor * Math.min(1, Math.max(0, share));
    }
    return sum;
  };
}
