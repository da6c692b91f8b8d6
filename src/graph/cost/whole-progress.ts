import type { RunProgress } from "../../events/event.ts";
import { factsOfStage, factsOfType, type RunState } from "../../events/run-state.ts";
import type { Done } from "../../operators/measuring/cost/growth.ts";
import { costOf } from "./cost.ts";
import { partsFrom, type PlannedPart, type PlannedStage, type RunPlan, totalOf } from "./run-plan.ts";
import { doneOf, FIRST_ENDS, type PartCourse, type StageCourse, type WorkCourse } from "./work-course.ts";

/** The share of the latest units of a part that its speed is measured over. */
const LATEST = 0.5;
/** For stages with several rounds, of the latest rounds; a little less than whole ones, since moments are not exact. */
const LATEST_ROUNDS = 1.9;
const ONE_ROUND = 0.9;
/**
 * In games of one player a search plays longer games than an agent without; on the other hand, a simulation costs less than a
 * move. Together 100 simulations cost in 2048 1.2 to 1.6 times as much as 100 moves.
 */
const SEARCH_OF_ONE = 1.25;
/** From this ratio of simulations on. */
const MUCH_MORE = 4;
/** Fewer units than these show no speed of their own. */
const FEWEST_UNITS = 8;
/** Before so many seconds of work no time left is given. */
const EVIDENT = 2;
/** So many units of a stage, as a share, or a few units show its speed. */
const EVIDENT_SHARE = 0.01;
/** The greatest share of a run that has not ended. */
const NEARLY = 0.999;
/** A stage is at work if it worked in this share of the latest seconds. */
const AT_WORK = 0.2;
/** A time left is an upper bound if at least this share of it is work that a test may end. */
const BOUND_SHARE = 0.1;
/** An estimate made before anything was measured counts as much as so many units. */
const PRIOR_UNITS = 0.5;
/** The powers with which the work of a unit may grow or shrink with the number of units. */
const POWERS = [0.8, 2] as const;
/** Fewest summaries of games that show how their length changes. */
const FEWEST_SUMMARIES = 6;

/**
 * How far a run is: the time that it has worked, as a share of that time and the time that the rest of all known work takes,
 * at the speeds measured in this run. What was not measured yet is estimated: from speeds measured before the run, or from
 * parts with the same agents or nets, by the number of simulations.
 *
 * Undefined while too little is known: a run has no bar rather than a wrong one.
 */
export function wholeProgress(plan: RunPlan, course: WorkCourse, state: RunState): RunProgress | undefined {
  if (state.ended?.outcome === "finished") return { type: "run-progress", share: 1 };
  const stages = [...plan.stages].map(([name, stage]) => leftOf(name, stage, plan, course, state));
  const left = stages.reduce((sum, { seconds = 0 }) => sum + seconds, 0);
  const learning = stages.some(({ seconds, stage }) => stage.work.purpose === "learn" && (seconds ?? 0) > 0);
  // A learner that has not begun works in proportion to the games that it will learn from.
  const known = stages.every(
    ({ seconds, stage }) => seconds !== undefined || (stage.work.purpose === "learn" && learning),
  );
  if (stages.length === 0 || !known) return undefined;
  const early = stages.reduce(
    (sum, { seconds = 0, stage }) => sum + (stage.work.endsEarly === true ? seconds : 0),
    0,
  );
  const now = atWork(stages, state);
  return {
    type: "run-progress",
    share: course.spent === 0 ? 0 : Math.min(NEARLY, course.spent / (course.spent + left)),
    ...(course.spent >= EVIDENT ? { secondsLeft: left } : {}),
    ...(early > BOUND_SHARE * left ? { atMost: true } : {}),
    ...(now === undefined ? {} : { now }),
  };
}

/** The rest of a stage. */
interface Rest {
  readonly name: string;
  readonly stage: PlannedStage;
  /** Undefined while it is not known. */
  readonly seconds: number | undefined;
  readonly lately: number;
}

function leftOf(name: string, stage: PlannedStage, plan: RunPlan, course: WorkCourse, state: RunState): Rest {
  const own = Object.hasOwn(course.stages, name) ? course.stages[name] : undefined;
  const done = own?.reached ?? doneOf(name, stage, state);
  const lately = own?.lately ?? 0;
  let seconds: number | undefined = 0;
  for (const { part, units } of partsFrom(stage, done, totalOf(stage) - done).values()) {
    const measured = own?.parts[part.key];
    const prior = () => estimated(part, name, stage, plan, course, state);
    // The first units of thousands say nothing: code is compiled, games are short.
    const evident = Math.min(FEWEST_UNITS, EVIDENT_SHARE * totalOf(stage));
    const few = measured !== undefined && measured.units > 0 && measured.units < evident;
    const cost = unitSeconds(few ? undefined : measured, batchOf(stage, part, own), prior);
    if (cost === undefined) return { name, stage, seconds: undefined, lately };
    // Games under way of which none has ended yet are as far as they should be.
    const begun = measured?.units === 0 ? measured.seconds / cost : 0;
    const idle = idleAtEnd(stage, units, own, plan);
    seconds += (Math.max(0, units - begun) * growth(name, stage, done, units, state) + idle) * cost;
  }
  return { name, stage, seconds, lately };
}

/**
 * Units that could be played while threads have no games left at the end of a match, since the last games take longer on some of them: on
 * average half of those of a thread's last games. Rounds that were measured hold their ends already.
 */
function idleAtEnd(
  { rounds, shares, work }: PlannedStage,
  units: number,
  { bound = 0 }: Partial<StageCourse> = {},
  { workers }: RunPlan,
): number {
  if (rounds > 1 || !shares || work.purpose !== "measure") return 0;
  return (Math.min(bound, units) / 2) * (1 - 1 / workers);
}

/** How the units of a part come. */
interface Batch {
  /** Units of a round; 0 if there is only one round. */
  readonly round: number;
  /** Games under way, at most: a burst of so many may count at once. */
  readonly bound: number;
}

function batchOf({ rounds }: PlannedStage, { units }: PlannedPart, own: StageCourse | undefined): Batch {
  return { round: rounds > 1 ? units : 0, bound: own?.bound ?? 0 };
}

/** Seconds of a unit of a part now. */
function unitSeconds(
  measured: PartCourse | undefined,
  batch: Batch,
  prior: () => number | undefined,
): number | undefined {
  if (measured === undefined) return prior();
  if (measured.units === 0) {
    const expected = prior();
    return expected && Math.max(expected, measured.seconds / (FIRST_ENDS * Math.max(1, batch.bound)));
  }
  const { from, to } = latestOf(measured, batch);
  const seconds = to.seconds - from.seconds;
  const units = to.units - from.units;
  // Few units are unequal: what was known before still counts.
  const expected = measured.units < FEWEST_UNITS ? prior() : undefined;
  if (expected === undefined) return seconds / units;
  return (PRIOR_UNITS * expected + seconds) / (PRIOR_UNITS + units);
}

/**
 * The moments between which the speed of a part is measured: the latest units, in whole rounds, since a round does not work at
 * the same speed from its first games to its last.
 */
function latestOf(measured: PartCourse, { bound, round }: Batch): { readonly from: Done; readonly to: Done } {
  const { moments } = measured;
  const upTo = (units: number) => moments.findLast((moment) => moment.units <= units + 1e-9);
  const ended = round === 0 ? 0 : Math.floor(measured.units / round + 1e-9) * round;
  const to: Done = (ended === 0 ? undefined : upTo(ended)) ?? measured;
  // The first round is slow: code is compiled, nets are opened.
  const rounds = Math.max(ONE_ROUND, Math.min(LATEST_ROUNDS, to.units / round - 2 + ONE_ROUND));
  const share = round === 0 ? LATEST * to.units : rounds * round;
  const from = upTo(to.units - Math.max(FEWEST_UNITS, bound, share));
  return { from: from ?? { units: 0, seconds: 0 }, to };
}

/**
 * The power by which the plies of all games of a learner grow with their number: 1 for games of equal length, more if they
 * become longer as play improves.
 */
function lengthening(name: string, { work }: PlannedStage, state: RunState): number {
  if (work.purpose !== "learn") return 1;
  const summaries = factsOfStage(state, "games", name);
  if (summaries.length < FEWEST_SUMMARIES) return 1;
  let plies = 0;
  const sums = [...summaries].map(({ event }) => ({
    done: event.done,
    plies: (plies += event.count * event.plies),
  }));
  const last = sums.at(-1)!;
  const middle = sums.findLast((sum) => sum.done <= last.done / 2);
  if (middle === undefined || middle.plies === 0) return 1;
  const power = Math.log(last.plies / middle.plies) / Math.log(last.done / middle.done);
  return Math.min(POWERS[1], Math.max(POWERS[0], power));
}

/** How much more a unit of a learner will cost than the latest ones, on average. */
function growth(name: string, stage: PlannedStage, done: number, units: number, state: RunState): number {
  if (stage.rounds > 1 || stage.first.length > 1 || done === 0) return 1;
  const power = lengthening(name, stage, state);
  const mean = (from: number, to: number) => (to ** power - from ** power) / (to - from);
  return mean(done, done + units) / mean((1 - LATEST) * done, done);
}

/** How much longer the games of agents with these nets will be when all is learned than they are now; they grow ever more slowly. */
function growthLeft(nets: readonly string[], plan: RunPlan, course: WorkCourse, state: RunState): number {
  for (const [name, stage] of plan.stages) {
    if (!stage.nets.some((net) => nets.includes(net))) continue;
    const power = lengthening(name, stage, state);
    const done = course.stages[name]?.done ?? 0;
    if (power > 1 && done > 0) return (totalOf(stage) / done) ** ((power - 1) / 2);
  }
  return 1;
}

/** Seconds of a unit of a part that has not begun. */
function estimated(
  part: PlannedPart,
  name: string,
  stage: PlannedStage,
  plan: RunPlan,
  course: WorkCourse,
  state: RunState,
): number | undefined {
  return (
    before(part, name, stage, plan) ??
    ofTimedAgents(part, stage, plan, state) ??
    likeOthers(part, name, stage, plan, course, state)
  );
}

/** From the speeds measured before the run. */
function before(
  part: PlannedPart,
  name: string,
  { work }: PlannedStage,
  { speeds }: RunPlan,
): number | undefined {
  if (speeds === undefined) return undefined;
  const deciders = part.deciders === undefined ? {} : { deciders: part.deciders };
  return costOf(new Map([[name, { ...work, ...deciders }]]), speeds, 1).stages[0]?.perUnit;
}

/** Of agents that think for a time: their time, on all threads that play. */
function ofTimedAgents(
  { deciders }: PlannedPart,
  { work }: PlannedStage,
  { agents, players, workers }: RunPlan,
  state: RunState,
): number | undefined {
  if (deciders === undefined) return undefined;
  let milliseconds = 0;
  for (const [agent, share] of Object.entries(deciders)) {
    const own = agents[agent]?.milliseconds;
    if (own === undefined) return undefined;
    milliseconds += share * own;
  }
  const decisions = decisionsOf(work.plies, players, state);
  return decisions === undefined ? undefined : (decisions * milliseconds) / 1000 / workers;
}

/**
 * For each agent from the measured part whose agents are most like it, by the number of simulations and of decisions; undefined
 * if there is none.
 */
function likeOthers(
  part: PlannedPart,
  name: string,
  { work }: PlannedStage,
  plan: RunPlan,
  course: WorkCourse,
  state: RunState,
): number | undefined {
  if (part.deciders === undefined) return undefined;
  const known = measuredParts(plan, course, state).filter(({ of, key }) => of !== name || key !== part.key);
  const decisions = decisionsOf(work.plies, plan.players, state);
  let seconds = 0;
  for (const [agent, share] of Object.entries(part.deciders)) {
    const own = { [agent]: 1 };
    let best: { readonly likeness: number; readonly of: MeasuredPart } | undefined;
    for (const other of known) {
      if (other.plies !== work.plies && (decisions === undefined || other.decisions === undefined)) continue;
      const like = likeness(own, other.deciders, plan);
      const better = like - (best?.likeness ?? -1);
      if (better > 0 || (better === 0 && other.seconds > best!.of.seconds))
        best = { likeness: like, of: other };
    }
    if (best === undefined) return undefined;
    const { of } = best;
    const length = of.plies === work.plies ? 1 : decisions! / of.decisions!;
    const ratio = effort(own, plan) / effort(of.deciders, plan);
    const search = plan.players === 1 && ratio > MUCH_MORE ? SEARCH_OF_ONE : 1;
    seconds += share * of.perUnit * length * ratio * search;
  }
  const nets = Object.keys(part.deciders).flatMap((agent) => plan.agents[agent]?.nets ?? []);
  return seconds * growthLeft(nets, plan, course, state);
}

/** A part whose speed was measured. */
interface MeasuredPart {
  readonly of: string;
  readonly key: string;
  readonly deciders: Readonly<Record<string, number>>;
  readonly plies: number | undefined;
  /** Decisions of a unit, if they are known. */
  readonly decisions: number | undefined;
  readonly perUnit: number;
  /** Seconds that were measured. */
  readonly seconds: number;
}

function measuredParts(plan: RunPlan, course: WorkCourse, state: RunState): MeasuredPart[] {
  return [...plan.stages].flatMap(([of, stage]) => {
    const own = Object.hasOwn(course.stages, of) ? course.stages[of]! : undefined;
    const { plies } = stage.work;
    const decisions = decisionsOf(plies, plan.players, state);
    const parts = new Map([...stage.first, ...stage.each].map((part) => [part.key, part]));
    return [...parts.values()].flatMap((part): MeasuredPart[] => {
      const measured = own?.parts[part.key];
      if (measured === undefined || measured.units === 0 || part.deciders === undefined) return [];
      const perUnit = unitSeconds(measured, batchOf(stage, part, own), () => undefined);
      if (perUnit === undefined || perUnit <= 0) return [];
      const { deciders, key } = part;
      return [{ of, key, deciders, plies, decisions, perUnit, seconds: measured.seconds }];
    });
  });
}

/** Mean simulations of a decision. */
function effort(deciders: Readonly<Record<string, number>>, { agents }: RunPlan): number {
  return Object.entries(deciders).reduce(
    (sum, [agent, share]) => sum + share * (agents[agent]?.simulations ?? 1),
    0,
  );
}

/** How much alike the agents of two parts are: the share of decisions by the same agents counts most, then the same nets. */
function likeness(
  one: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
  { agents }: RunPlan,
): number {
  const same = Object.keys(one).reduce((sum, agent) => sum + Math.min(one[agent] ?? 0, other[agent] ?? 0), 0);
  const nets = (of: object) =>
    [...new Set(Object.keys(of).flatMap((agent) => agents[agent]?.nets ?? []))].toSorted().join(" ");
  return 2 * same + (nets(one) === nets(other) ? 1 : 0);
}

/** Decisions of a unit: one if games end after a ply, else those of the latest games of the run that are known. */
function decisionsOf(plies: number | undefined, players: number, state: RunState): number | undefined {
  const efforts = factsOfType(state, "effort").at(-1);
  let length: number | undefined;
  if (efforts !== undefined) {
    const all = efforts.agents.flatMap(({ decisions }) => [...decisions]).filter(Number.isFinite);
    const sum = all.reduce((total, count) => total + count, 0);
    if (sum > 0) length = (sum / all.length) * Math.min(players, efforts.agents.length);
  }
  length ??= factsOfType(state, "games").at(-1)?.plies;
  if (plies === undefined) return length;
  return length === undefined ? plies : Math.min(plies, length);
}

/** The stage at work, with its count; of several the one with the most work left, one that learns before others. */
function atWork(stages: readonly Rest[], state: RunState): RunProgress["now"] {
  const working = stages.filter(
    ({ lately, name }) => lately >= AT_WORK && state.stages[name]?.progress !== undefined,
  );
  const left = ({ seconds, stage }: Rest) =>
    (seconds ?? Infinity) + (stage.work.purpose === "learn" ? 1e-9 : 0);
  const [most] = working.toSorted((a, b) => left(b) - left(a));
  if (most === undefined) return undefined;
  const { done, total, unit } = state.stages[most.name]!.progress!;
  // A trainer's own count ends with the games that it has got so far.
  const { work } = most.stage;
  const whole = work.purpose === "learn" && unit === work.unit;
  return { stage: most.name, done, total: whole ? work.total : total, unit };
}
