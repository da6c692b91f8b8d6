import type { StageFlow } from "../../events/flow-event.ts";
import { factsOfStage, type RunState, type StageState } from "../../events/run-state.ts";
import type { Done } from "../../operators/measuring/cost/growth.ts";
import {
  partAt,
  partsFrom,
  type PlannedStage,
  roundOf,
  roundUnits,
  type RunPlan,
  totalOf,
  unitsBefore,
} from "./run-plan.ts";

/**
 * What a run has done so far, and how long it took. {@link advanced} makes the next one. A second in which several stages
 * work is divided among them, so the seconds of all stages add up to the time in which the run was at work.
 */
export interface WorkCourse {
  /** The time of the run when it was advanced last. */
  readonly at: number;
  /** Seconds in which the run was at work. */
  readonly spent: number;
  readonly stages: Readonly<Record<string, StageCourse>>;
}

/** The course of one stage. */
export interface StageCourse {
  /** Units done, over all rounds. */
  readonly done: number;
  /** These with the games under way, as far as each of them is. */
  readonly reached: number;
  /** Games that it may have under way: those of a burst may count at once. */
  readonly bound: number;
  /** The share of the latest seconds in which it worked. */
  readonly lately: number;
  /** By key of a part. */
  readonly parts: Readonly<Record<string, PartCourse>>;
}

/** What was done of one part, with the moments at which units were done, in the order of time; of a long course not all. */
export interface PartCourse extends Done {
  readonly moments: readonly Done[];
}

/** Nothing was done. */
export const NOTHING_DONE: WorkCourse = { at: 0, spent: 0, stages: {} };

/** Maximum number of moments that are kept of a part. */
const MOST_MOMENTS = 64;
/**
 * How much of games that began together is done, on average, when the first of them ends; and how much of the games that are
 * under way later. Games of equal length would have 1 and 0.5; but those that end first are the short ones.
 */
export const FIRST_ENDS = 0.6;
const UNDER_WAY = 0.2;
/** A stage was at work lately if it worked in about the last so many seconds. */
const LATELY = 5;
/** A longer time between two flows than they are about, by more than this, was no work. In seconds. */
const SLACK = 5;
/**
 * A run begins slowly: threads start, nets are opened, code is compiled while it works. The share of a second that its units
 * would take later grows from 0 to 1 with about this time, in seconds.
 */
const WARM_UP = 2.5;

/** The course at a state in which all stages have just reported what flowed; before, the same course. */
export function advanced(plan: RunPlan, course: WorkCourse, state: RunState): WorkCourse {
  const flows = Object.values(state.flows).flatMap((flow) =>
    flow.type === "stage-flow" && flow.elapsed > course.at && flow.seconds > 0 ? [flow] : [],
  );
  const longest = flows.reduce((most, { seconds }) => Math.max(most, seconds), 0);
  if (longest === 0) return course;
  const passed = Math.min(state.elapsed - course.at, longest + SLACK);
  // Before the first flows of a part, and between its parts, no stage had begun.
  const measured = Math.min(passed, longest);
  const warm = 1 - Math.exp(-(state.elapsed - passed / 2) / WARM_UP);
  const worked = new Map(flows.map((flow) => [flow.stage, Math.min(1, flow.worked / flow.seconds)]));
  const shares = sharesOf(plan, course, state, worked);
  const stages: Record<string, StageCourse> = {};
  for (const [name, stage] of plan.stages) {
    const before = Object.hasOwn(course.stages, name) ? course.stages[name]! : UNBEGUN;
    const flow = flows.find((each) => each.stage === name);
    const share = worked.get(name) ?? 0;
    const weight = Math.min(1, passed / LATELY);
    const seconds = startsUp(state.stages[name]) ? 0 : (shares.get(name) ?? 0) * measured * warm;
    stages[name] = {
      ...continued(stage, before, doneOf(name, stage, state), {
        flow,
        seconds,
        progress: state.stages[name]?.progress,
      }),
      bound: flow?.bound ?? before.bound,
      lately: (1 - weight) * before.lately + weight * share,
    };
  }
  const busy = [...worked.values()].some((share) => share > 0.01);
  return { at: state.elapsed, spent: course.spent + (busy ? passed : 0), stages };
}

const UNBEGUN: StageCourse = { done: 0, reached: 0, bound: 0, lately: 0, parts: {} };

/**
 * The share of the time that each stage had, by the share in which it worked. Stages that play share their threads by what
 * they had computed, as far as that is known.
 */
function sharesOf(
  plan: RunPlan,
  course: WorkCourse,
  state: RunState,
  worked: ReadonlyMap<string, number>,
): Map<string, number> {
  const active = [...plan.stages].flatMap(([name, stage]) => {
    const share = worked.get(name) ?? 0;
    return share > 0 ? [{ name, stage, share }] : [];
  });
  const players = active.filter(({ stage }) => stage.shares);
  const computed = players.map(({ name, share, stage }) =>
    share < 0.01 ? 0 : share * computedBy(plan, stage, course.stages[name]?.done ?? 0, state.stages[name]),
  );
  const known = players.every(({ share }, i) => share < 0.01 || computed[i]! > 0);
  const weights = known ? computed : players.map(({ share }) => share);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const together = Math.min(
    1,
    players.reduce((sum, { share }) => sum + share, 0),
  );
  const alone = active.filter(({ stage }) => !stage.shares);
  const total = alone.reduce((sum, { share }) => sum + share, together);
  const scale = 1 / Math.max(1, total);
  return new Map([
    ...alone.map(({ name, share }) => [name, scale * share] as const),
    ...players.map(({ name }, i) => [name, all === 0 ? 0 : (scale * together * weights[i]!) / all] as const),
  ]);
}

/** Whether a stage has computed nothing yet, and only opens its nets and threads: its units do not cost that. */
function startsUp(state: StageState | undefined): boolean {
  if (state === undefined || state.paces.length === 0 || (state.progress?.done ?? 0) > 0) return false;
  return state.paces.every(({ decisions, evaluations, steps }) => decisions + evaluations + steps === 0);
}

/** What the players of a stage compute in a second, in evaluations or simulations; 0 if it is not known. */
function computedBy(plan: RunPlan, stage: PlannedStage, done: number, state: StageState | undefined): number {
  const paces = state?.paces.filter(({ waitsFor }) => waitsFor === undefined) ?? [];
  const seconds = paces.reduce((sum, pace) => sum + pace.seconds, 0);
  if (seconds <= 0) return 0;
  const sum = (key: "decisions" | "evaluations") => paces.reduce((total, pace) => total + pace[key], 0);
  const [now] = partsFrom(stage, done, 1).values();
  const deciders = Object.entries(now?.part.deciders ?? stage.work.deciders ?? {});
  const simulations = deciders.reduce(
    (sum, [agent, share]) => sum + share * (plan.agents[agent]?.simulations ?? 1),
    0,
  );
  return Math.max(sum("evaluations"), sum("decisions") * simulations) / seconds;
}

/** The course of a stage that has now done so many units, and worked for some more seconds. */
function continued(
  stage: PlannedStage,
  before: StageCourse,
  done: number,
  {
    flow,
    progress,
    seconds,
  }: {
    readonly flow: StageFlow | undefined;
    readonly progress: StageState["progress"];
    readonly seconds: number;
  },
): Pick<StageCourse, "done" | "parts" | "reached"> {
  const parts = { ...before.parts };
  // A resumed run does some work again: what was lost does not count, nor does its time.
  const lost = done < before.done;
  const from = lost ? done : before.reached;
  if (lost)
    for (const [key, { units }] of partsFrom(stage, done, before.reached - done))
      if (parts[key] !== undefined) parts[key] = shortened(parts[key], units);
  const reached = Math.max(from, done + underWay(stage, done, flow));
  const played = playedOf(stage, from, reached, progress);
  const more = partsFrom(stage, from, played);
  const units = [...more.values()].reduce((sum, each) => sum + each.units, 0);
  if (units === 0) {
    // The time of units that are not done yet.
    const [now] = partsFrom(stage, from, 1).keys();
    if (now !== undefined && seconds > 0) parts[now] = lengthened(parts[now], 0, seconds);
  }
  for (const [key, each] of more)
    parts[key] = lengthened(parts[key], each.units, (seconds * each.units) / units);
  return { done, reached, parts };
}

/** Units between two places that were played: a test may have ended a round before the rest of its games. */
function playedOf(
  stage: PlannedStage,
  from: number,
  reached: number,
  progress: StageState["progress"],
): number {
  if (stage.work.endsEarly !== true || progress === undefined || progress.done < progress.total)
    return reached - from;
  const left = unitsBefore(stage, roundOf(stage, from)) + progress.done - from;
  return Math.max(0, Math.min(reached - from, left));
}

/**
 * The games under way of a stage, as units that are done: more of each among the first games, which began together. Games of a match count in their order, so finished ones wait for earlier ones; they are
 * done. Before any game of a part has ended it is not known how far they are.
 */
function underWay(stage: PlannedStage, done: number, flow: StageFlow | undefined): number {
  const { bound = 0, holds = 0 } = flow ?? {};
  const part = partAt(stage, done);
  if (bound === 0 || part.done < 1) return 0;
  const begun = Math.min(part.left, bound);
  const waiting = stage.work.purpose === "measure" && holds > 0 ? Math.max(0, begun - holds) : 0;
  const early = Math.max(0, 1 - (part.done + waiting) / bound);
  return Math.min(
    part.left,
    waiting + (UNDER_WAY + (FIRST_ENDS - UNDER_WAY) * early) * Math.min(holds, part.left),
  );
}

function lengthened(
  before: PartCourse = { units: 0, seconds: 0, moments: [] },
  units: number,
  seconds: number,
): PartCourse {
  const now = { units: before.units + units, seconds: before.seconds + seconds };
  if (units === 0) return { ...before, ...now };
  const moments = [...before.moments, now];
  return { ...now, moments: moments.length > MOST_MOMENTS ? moments.filter((_, i) => i % 2 === 1) : moments };
}

function shortened({ moments, seconds, units }: PartCourse, lost: number): PartCourse {
  const left = Math.max(0, units - lost);
  const kept = moments.filter((moment) => moment.units <= left);
  const last = kept.at(-1) ?? { units: 0, seconds: 0 };
  const next = moments[kept.length] ?? { units, seconds };
  const between = next.units > last.units ? (left - last.units) / (next.units - last.units) : 0;
  return {
    units: left,
    seconds: last.seconds + between * (next.seconds - last.seconds),
    moments: kept,
  };
}

/** Units that a stage has done in the whole run, as its events report it. A round that a test ended counts as whole. */
export function doneOf(name: string, stage: PlannedStage, state: RunState): number {
  const total = totalOf(stage);
  const now = Object.hasOwn(state.stages, name) ? state.stages[name] : undefined;
  const { progress } = now ?? {};
  const share =
    progress === undefined || progress.total === 0 ? 0 : Math.min(1, progress.done / progress.total);
  if (stage.work.purpose === "learn") {
    if (progress === undefined) return Math.min(total, learned(name, state));
    return Math.min(total, progress.unit === stage.work.unit ? progress.done : share * total);
  }
  const ends =
    stage.resultEvent === undefined ? undefined : factsOfStage(state, stage.resultEvent as "match", name);
  if (ends === undefined) return share * total;
  const round = Math.min(stage.rounds, ends.length);
  const open = now !== undefined && now.at > (ends.at(-1)?.event.elapsed ?? -1) ? share : 0;
  return Math.min(
    total,
    unitsBefore(stage, round) + (round < stage.rounds ? open * roundUnits(stage, round) : 0),
  );
}

/** The count of a stage that learns in the facts of earlier parts of the run. */
function learned(name: string, state: RunState): number {
  return Math.max(
    factsOfStage(state, "games", name).at(-1)?.event.done ?? 0,
    factsOfStage(state, "training", name).at(-1)?.event.step ?? 0,
    ...[factsOfStage(state, "pool-games", name).at(-1)?.event ?? { step: 0, games: 0 }].map(
      ({ games, step }) => games * step,
    ),
  );
}
