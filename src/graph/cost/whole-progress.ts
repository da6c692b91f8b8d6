import type { RunProgress } from "../../events/event.ts";
import { factsOfStage, factsOfType, type RunState } from "../../events/run-state.ts";
import type { Done } from "../../operators/cost/growth.ts";
import { costOf } from "./cost.ts";
import { partsFrom, type PlannedPart, type PlannedStage, type RunPlan, totalOf } from "./run-plan.ts";
import { doneOf, type PartCourse, type StageCourse, type WorkCourse } from "./work-course.ts";

/** The share of the latest units of a part that its speed is measured over. */
const LATEST = 0.25;
/** Of fewer units than these, and twice those under way, the latest ones alone show no speed. */
const FEWEST_UNITS = 8;
/** Before so many seconds of work no time left is given. */
const EVIDENT = 3;
/** The greatest share of a run that has not ended. */
const NEARLY = 0.999;
/** A stage is at work if it worked in this share of the latest seconds. */
const AT_WORK = 0.2;
/** A time left is an upper bound if at least this share of it is work that a test may end. */
const BOUND_SHARE = 0.1;
/** An estimate made before anything was measured counts as much as so many units. */
const PRIOR_UNITS = 1;
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
  const unknown = stages.filter(({ seconds }) => seconds === undefined);
  const learning = stages.some(({ seconds, stage }) => stage.work.purpose === "learn" && (seconds ?? 0) > 0);
  // A learner that has not begun works in proportion to the games that it will learn from.
  const known = unknown.every(({ stage }) => stage.work.purpose === "learn" && learning);
  if (stages.length === 0 || !known) return undefined;
  const early = stages.reduce(
    (sum, { seconds = 0, stage }) => sum + (stage.work.endsEarly === true ? seconds : 0),
    0,
  );
  const now = atWork(stages, state);
  return {
    type: "run-progress",
    share: course.spent === 0 ? 0 : Math.min(NEARLY, course.spent / (course.spent + left)),
    ...(unknown.length === 0 && course.spent >= EVIDENT ? { secondsLeft: left } : {}),
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
  const done = doneOf(name, stage, state);
  const parts = [...partsFrom(stage, done, totalOf(stage) - done).values()];
  const lately = own?.lately ?? 0;
  let seconds: number | undefined = 0;
  for (const [i, { part, units }] of parts.entries()) {
    const measured = own?.parts[part.key];
    const underWay = i === 0 ? Math.min(units, own?.underWay ?? 0) : 0;
    const prior = () => estimated(part, name, stage, plan, course, state);
    const cost = unitSeconds(measured, underWay, prior);
    if (cost === undefined) return { name, stage, seconds: undefined, lately };
    seconds += (units - underWay / 2) * cost * growth(name, stage, done, units, state);
  }
  return { name, stage, seconds, lately };
}

/** Seconds of a unit of a part now; games under way count as half done. */
function unitSeconds(
  measured: PartCourse | undefined,
  underWay: number,
  prior: () => number | undefined,
): number | undefined {
  if (measured === undefined || measured.units === 0) {
    const expected = prior();
    if (expected === undefined || measured === undefined) return expected;
    return (PRIOR_UNITS * expected + measured.seconds) / (PRIOR_UNITS + underWay / 2);
  }
  const from = latestFrom(measured, underWay);
  const seconds = measured.seconds - from.seconds;
  const units = measured.units - from.units + (from.units === 0 ? underWay / 2 : 0);
  // Few units are unequal: what was known before still counts.
  const expected = measured.units < 10 * PRIOR_UNITS ? prior() : undefined;
  return expected === undefined
    ? seconds / units
    : (PRIOR_UNITS * expected + seconds) / (PRIOR_UNITS + units);
}

/** The moment from which on the speed of a part is measured. */
function latestFrom({ moments, units }: PartCourse, underWay: number): Done {
  const latest = moments.findLast((moment) => moment.units <= (1 - LATEST) * units);
  const enough = latest !== undefined && units - latest.units >= FEWEST_UNITS + 2 * underWay;
  return enough ? latest : { units: 0, seconds: 0 };
}

/**
 * How much more a unit will cost than the latest ones, on average: the games of a learner become longer or shorter. The
 * plies of all games so far follow a power of their number.
 */
function growth(
  name: string,
  { first, rounds, work }: PlannedStage,
  done: number,
  units: number,
  state: RunState,
): number {
  if (work.purpose !== "learn" || rounds > 1 || first.length > 1 || done === 0) return 1;
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
  const p = Math.min(POWERS[1], Math.max(POWERS[0], power));
  const latest = done * LATEST;
  const mean = (from: number, to: number) => (to ** p - from ** p) / (to - from);
  return mean(done, done + units) / mean(done - latest, done);
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

/** From the measured part whose agents are most like those of the part, by the number of simulations and of decisions. */
function likeOthers(
  part: PlannedPart,
  name: string,
  { work }: PlannedStage,
  plan: RunPlan,
  course: WorkCourse,
  state: RunState,
): number | undefined {
  if (part.deciders === undefined) return undefined;
  const own = effort(part.deciders, plan);
  const decisions = decisionsOf(work.plies, plan.players, state);
  let best: { readonly likeness: number; readonly weight: number; readonly seconds: number } | undefined;
  for (const [other, stage] of plan.stages) {
    const { parts }: Pick<StageCourse, "parts"> = course.stages[other] ?? { parts: {} };
    for (const known of [...stage.first, ...stage.each]) {
      const measured = parts[known.key];
      if (measured === undefined || measured.units === 0 || known.deciders === undefined) continue;
      if (other === name && known.key === part.key) continue;
      const equal = stage.work.plies === work.plies;
      const decided = equal ? 1 : decisionsOf(stage.work.plies, plan.players, state);
      if (decided === undefined || (!equal && decisions === undefined)) continue;
      const scale = (own / effort(known.deciders, plan)) * (equal ? 1 : decisions! / decided);
      const seconds = unitSeconds(measured, 0, () => undefined)! * scale;
      const like = likeness(part.deciders, known.deciders, plan);
      const better =
        best === undefined ||
        like > best.likeness ||
        (like === best.likeness && measured.seconds > best.weight);
      if (better && seconds > 0) best = { likeness: like, weight: measured.seconds, seconds };
    }
  }
  return best?.seconds;
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

/** Decisions of a unit: one where games end after a ply, else those of the latest games of the run that are known. */
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
