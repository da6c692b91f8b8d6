import type { RecordedEvent, RunProgress } from "../../events/event.ts";
import { isFlow } from "../../events/flow-event.ts";
import { initialState, reduce, type RunState } from "../../events/run-state.ts";
import type { CheckedGraph } from "../check-graph.ts";
import { type Speeds, worksOf } from "./cost.ts";
import { planOf, type RunPlan } from "./run-plan.ts";
import { wholeProgress } from "./whole-progress.ts";
import { advanced, NOTHING_DONE, type WorkCourse } from "./work-course.ts";

/** Follows a run, and knows how far it is. */
export class ProgressTracker {
  readonly #plan: RunPlan;
  #course: WorkCourse;

  /** `course` is that of the earlier parts of the run. */
  constructor(plan: RunPlan, course: WorkCourse = NOTHING_DONE) {
    this.#plan = plan;
    this.#course = course;
  }

  /** The progress at a state in which all stages have just reported what flowed; undefined while too little is known. */
  next(state: RunState): RunProgress | undefined {
    this.#course = advanced(this.#plan, this.#course, state);
    return wholeProgress(this.#plan, this.#course, state);
  }
}

/** The plan of a checked graph; `speeds` were measured before the run. */
export function planOfGraph(graph: CheckedGraph, speeds?: Speeds): RunPlan {
  const { experiment, game } = graph.opened;
  return planOf(experiment, worksOf(graph), { players: game.players, speeds });
}

/** The state after events of a run, and its course: the flows of all stages follow one after the other. */
export function followed(
  plan: RunPlan,
  events: Iterable<RecordedEvent>,
): { readonly state: RunState; readonly course: WorkCourse } {
  let state = initialState;
  let course = NOTHING_DONE;
  let flows = false;
  for (const event of events) {
    if (flows && !isFlow(event)) course = advanced(plan, course, state);
    flows = isFlow(event);
    state = reduce(state, event);
  }
  return { state, course: flows ? advanced(plan, course, state) : course };
}
