import type { RunEvent } from "../../events/event.ts";
import { netNames } from "../../operators/experiment/agent-net.ts";
import type { AgentConfig, Experiment, StageConfig } from "../../operators/experiment/open-experiment.ts";
import { operatorOf } from "../../operators/registry.ts";
import { workerThreads } from "../../operators/run/parallelism.ts";
import { type StageWork, unitsOf } from "../../operators/run/stage-work.ts";
import type { Speeds } from "./cost.ts";

/** All that is known before a run of the work that it has to do. */
export interface RunPlan {
  /** In the order of the experiment's file. */
  readonly stages: ReadonlyMap<string, PlannedStage>;
  readonly agents: Readonly<Record<string, PlannedAgent>>;
  /** Threads that play. */
  readonly workers: number;
  /** Seats of the game. */
  readonly players: number;
  /** What was measured before the run, if it was. */
  readonly speeds: Speeds | undefined;
}

/** The work of one stage, part after part. */
export interface PlannedStage {
  readonly work: StageWork;
  /** The type of the event that ends each round, if the stage measures something in rounds. */
  readonly resultEvent: RunEvent["type"] | undefined;
  /** The net that it learns, or those of its agents. */
  readonly nets: readonly string[];
  /** Whether its games are played by the threads that play for all stages. */
  readonly shares: boolean;
  /** Of the first round, and of each later one. */
  readonly first: readonly PlannedPart[];
  readonly each: readonly PlannedPart[];
  readonly rounds: number;
}

/** Units that follow each other and cost about the same. */
export interface PlannedPart {
  /** Equal for parts of a stage that cost about the same. */
  readonly key: string;
  readonly units: number;
  readonly deciders: Readonly<Record<string, number>> | undefined;
}

/** What is known of an agent's speed before it has played. */
export interface PlannedAgent {
  readonly nets: readonly string[];
  /** Simulations of a decision; 1 for agents without. */
  readonly simulations: number;
  /** Time of a decision, for agents that have one. */
  readonly milliseconds: number | undefined;
}

/** The plan of a run whose stages have these works. */
export function planOf(
  { agents, graph, ...experiment }: Experiment,
  works: ReadonlyMap<string, StageWork>,
  { players, speeds }: { readonly players: number; readonly speeds?: Speeds | undefined },
): RunPlan {
  return {
    stages: new Map([...works].map(([name, work]) => [name, planned(work, graph[name]!, agents)])),
    agents: Object.fromEntries(Object.entries(agents).map(([name, config]) => [name, plannedAgent(config)])),
    workers: workerThreads({ agents, graph, ...experiment }),
    players,
    speeds,
  };
}

function planned(work: StageWork, config: StageConfig, agents: Experiment["agents"]): PlannedStage {
  const operator = operatorOf(config);
  const { deciders, rounds, total } = work;
  const learned = operator?.learns === undefined ? undefined : config[operator.learns];
  const part = (units: number, by: PlannedPart["deciders"]): PlannedPart => ({
    key:
      by === undefined
        ? ""
        : JSON.stringify(
            Object.keys(by)
              .toSorted()
              .map((agent) => [agent, by[agent]]),
          ),
    units,
    deciders: by,
  });
  const parts = (of: NonNullable<typeof rounds>["first"]) =>
    of.filter(({ units }) => units > 0).map((each) => part(each.units, each.deciders));
  return {
    work,
    resultEvent: operator?.resultEvent,
    nets:
      typeof learned === "string"
        ? [learned]
        : Object.keys(deciders ?? {}).flatMap((agent) => netNames(agents[agent] ?? {})),
    shares: deciders !== undefined && work.threads === undefined && operator?.playsItself !== true,
    first: rounds === undefined ? [part(total, deciders)] : parts(rounds.first),
    each: rounds === undefined ? [] : parts(rounds.each),
    rounds: rounds?.count ?? 1,
  };
}

function plannedAgent(config: AgentConfig): PlannedAgent {
  const number = (value: unknown) => (typeof value === "number" && value > 0 ? value : undefined);
  const { milliseconds, simulations } = config as Readonly<Record<string, unknown>>;
  return {
    nets: netNames(config),
    simulations: number(simulations) ?? 1,
    milliseconds: number(milliseconds),
  };
}

/** Units from a place on, in the order in which they are done: at most so many, by part. */
export function partsFrom(
  { each, first, rounds }: PlannedStage,
  from: number,
  most: number,
): Map<string, { readonly part: PlannedPart; units: number }> {
  const found = new Map<string, { readonly part: PlannedPart; units: number }>();
  let left = most;
  const take = (part: PlannedPart, units: number) => {
    const taken = Math.min(units, left);
    if (taken <= 0) return;
    left -= taken;
    const known = found.get(part.key);
    if (known === undefined) found.set(part.key, { part, units: taken });
    else known.units += taken;
  };
  const takeFrom = (parts: readonly PlannedPart[], begin: number) => {
    let at = 0;
    for (const part of parts) {
      take(part, part.units - Math.max(0, Math.min(part.units, begin - at)));
      at += part.units;
    }
  };
  const firstUnits = unitsOfParts(first);
  const eachUnits = unitsOfParts(each);
  takeFrom(first, from);
  const begun = Math.max(0, from - firstUnits);
  const whole = eachUnits === 0 ? 0 : Math.floor(begun / eachUnits);
  if (whole < rounds - 1 && eachUnits > 0) {
    takeFrom(each, begun - whole * eachUnits);
    const further = rounds - 2 - whole;
    // Whole rounds at once: there may be many.
    const times = Math.min(further, Math.floor(left / eachUnits));
    for (const part of each) take(part, times * part.units);
    if (times < further) takeFrom(each, 0);
  }
  return found;
}

/** All units of a stage, as far as its work says. */
export function totalOf({ each, first, rounds }: PlannedStage): number {
  return unitsOfParts(first) + (rounds - 1) * unitsOfParts(each);
}

/** The units of a round of a stage, counted from 0. */
export function roundUnits({ each, first }: PlannedStage, round: number): number {
  return unitsOfParts(round === 0 ? first : each);
}

/** The round that is under way when so many units of a stage are done, counted from 0; the last one at the end. */
export function roundOf(stage: PlannedStage, done: number): number {
  const firstUnits = roundUnits(stage, 0);
  const eachUnits = roundUnits(stage, 1);
  if (done < firstUnits || stage.rounds === 1 || eachUnits === 0) return 0;
  return Math.min(stage.rounds - 1, 1 + Math.floor((done - firstUnits) / eachUnits));
}

/** The units that are done and left of the part that is under way when so many units of a stage are done. */
export function partAt(stage: PlannedStage, done: number): { readonly done: number; readonly left: number } {
  const round = roundOf(stage, done);
  let at = done - unitsBefore(stage, round);
  for (const { units } of round === 0 ? stage.first : stage.each) {
    if (at < units) return { done: at, left: units - at };
    at -= units;
  }
  return { done: 0, left: 0 };
}

/** The units before a round of a stage. */
export function unitsBefore({ each, first }: PlannedStage, round: number): number {
  return round === 0 ? 0 : unitsOfParts(first) + (round - 1) * unitsOfParts(each);
}

function unitsOfParts(parts: readonly PlannedPart[]): number {
  return unitsOf(parts.map(({ deciders = {}, units }) => ({ deciders, units })));
}
