import { graphLinks } from "../../graph/graph-links.ts";
import { isAtWork } from "../../runs/run-condition.ts";
import type { FlowView, GraphView, TimelineView } from "../views/run-views.ts";
import { flowView, timelineView } from "./flow-view.ts";
import type { FollowedRun } from "./followed-run.ts";
import { FLOWS_S, type RunLog } from "./run-log.ts";

/** Seconds that "now" is about, and the latest part of them. */
const NOW_S = 60;
const LATEST_S = 10;

/** What flows in a run now, or flowed in the whole run if it has ended. */
export function flowOf(run: FollowedRun): FlowView {
  const { log } = run;
  const uses = Object.fromEntries(graphOf(run).nodes.map(({ name, use }) => [name, use]));
  return flowView(
    isAtWork(run.condition)
      ? { now: latest(log, NOW_S), latest: latest(log, LATEST_S), whole: false }
      : { now: log.flows.recorded, latest: [], whole: true },
    log.state,
    { uses, handed: (stage) => log.flows.handedBy(stage) },
  );
}

/** The working times of the last minutes, or of the whole run if it has ended. */
export function timelineOf({ condition, log }: FollowedRun): TimelineView {
  const live = isAtWork(condition);
  return timelineView(
    live ? latest(log, FLOWS_S) : log.flows.recorded,
    !live,
    log.checkpoints.map(({ elapsed }) => elapsed),
  );
}

function latest({ flows, state }: RunLog, seconds: number) {
  return flows.after(state.elapsed - seconds);
}

/** By experiment: a page asks each second. */
const graphs = new WeakMap<object, GraphView>();

/** The graph of the experiment of a run. */
export function graphOf({ experiment }: FollowedRun): GraphView {
  if (experiment === undefined) return { nodes: [], edges: [], back: [] };
  const before = graphs.get(experiment);
  if (before !== undefined) return before;
  const { back, stages, streams } = graphLinks(experiment);
  const graph = { nodes: stages, edges: streams, back };
  graphs.set(experiment, graph);
  return graph;
}
