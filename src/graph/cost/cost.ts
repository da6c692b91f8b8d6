import type { StageWork } from "../../operators/run/stage-work.ts";
import type { CheckedGraph } from "../check-graph.ts";

/** How much each stage has to do in a whole run, by stage; stages without work of their own are left out. */
export function worksOf({ stages }: Pick<CheckedGraph, "stages">): ReadonlyMap<string, StageWork> {
  const ends = stages.some(({ operator, config }) => operator.endsLearning?.(config) === true);
  return new Map(
    stages.flatMap(({ name, operator, config, view }): [string, StageWork][] => {
      const work = operator.work?.(config, view);
      if (work === undefined || work.total === 0) return [];
      return [[name, ends ? { ...work, endsEarly: true } : work]];
    }),
  );
}

/** Measured speeds, in seconds of this machine. */
export interface Speeds {
  /** Decisions of a game, by agent that plays it. */
  readonly decisions: ReadonlyMap<string, number>;
  /** Seconds per decision by agent, if all threads play its games at once. */
  readonly agents: ReadonlyMap<string, number>;
  /** Positions that nets evaluate in a second by agent, if all threads play its games at once. */
  readonly evaluations?: ReadonlyMap<string, number>;
  /**
   * Seconds per unit of work, by stage. They take precedence over those of agents; of a stage that learns from games on the
   * play host they are the time of learning, which is added.
   */
  readonly stages: ReadonlyMap<string, number>;
  /** Agents that made no decision: their seconds per decision are lower bounds. */
  readonly slower?: ReadonlySet<string>;
}

/** What one stage costs. */
export interface StageCost {
  readonly stage: string;
  readonly work: StageWork;
  /** Seconds per unit of work; undefined if this is not known. */
  readonly perUnit: number | undefined;
  /** Whether they are a lower bound. */
  readonly least: boolean;
}

/** What a run costs. */
export interface RunCost {
  readonly stages: readonly StageCost[];
  /** Seconds of the whole run, as far as its stages are known. */
  readonly seconds: number;
  /** Seconds of one core that the whole run takes: what it leaves of the others is free for other runs. */
  readonly coreSeconds: number;
  /** The stages that are not known. */
  readonly unknown: readonly string[];
  /** The stages of which only a lower bound is known. */
  readonly least: readonly string[];
}

/**
 * What a run costs on a machine with this number of cores: stages one after another, as each of them keeps all cores busy.
 * Stages on fewer threads of their own run side by side as far as there are cores.
 */
export function costOf(works: ReadonlyMap<string, StageWork>, speeds: Speeds, cores: number): RunCost {
  const stages = [...works].map(([stage, work]): StageCost => ({
    stage,
    work,
    perUnit: perUnit(stage, work, speeds),
    least: isLeast(stage, work, speeds),
  }));
  let alone = 0;
  let coreSeconds = 0;
  let longest = 0;
  for (const { work, perUnit: unit } of stages) {
    if (unit === undefined) continue;
    const seconds = work.total * unit;
    const threads = Math.min(cores, work.threads ?? cores);
    if (threads >= cores) alone += seconds;
    else {
      coreSeconds += threads * seconds;
      longest = Math.max(longest, seconds);
    }
  }
  return {
    stages,
    seconds: alone + Math.max(longest, coreSeconds / cores),
    coreSeconds: cores * alone + coreSeconds,
    // A stage that has nothing left to do costs nothing.
    unknown: stages
      .filter(({ perUnit: unit, work }) => unit === undefined && work.total > 0)
      .map(({ stage }) => stage),
    least: stages.filter(({ least, work }) => least && work.total > 0).map(({ stage }) => stage),
  };
}

function isLeast(stage: string, { deciders, learns }: StageWork, { slower, stages }: Speeds): boolean {
  if (deciders === undefined || (stages.has(stage) && learns !== true)) return false;
  return Object.keys(deciders).some((agent) => slower?.has(agent) === true);
}

function perUnit(stage: string, work: StageWork, speeds: Speeds): number | undefined {
  const measured = speeds.stages.get(stage);
  if (work.deciders === undefined || (measured !== undefined && work.learns !== true)) return measured;
  let seconds = 0;
  if (work.learns === true) {
    if (measured === undefined) return undefined;
    seconds = measured;
  }
  for (const [agent, share] of Object.entries(work.deciders)) {
    const decision = speeds.agents.get(agent);
    const decisions = speeds.decisions.get(agent);
    if (decision === undefined || decisions === undefined) return undefined;
    const made = Math.max(1, decisions - (work.drawn ?? 0));
    seconds += share * decision * Math.min(made, work.plies ?? Infinity);
  }
  return seconds;
}
