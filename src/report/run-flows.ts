import type {
  BufferFlow,
  EvaluatorFlow,
  FleetFlow,
  FlowEvent,
  MachineFlow,
  StageFlow,
  ThreadsFlow,
} from "../events/flow-event.ts";
import { flowSubject, isFlow } from "../events/flow-event.ts";
import { joinedFlows, scaledFlow } from "../events/flow-means.ts";
import { grouped, type RunData } from "./run-data.ts";

/** What flowed in a span of a run, summed up: one flow for each stage, thread group, evaluator and buffer. */
export interface RunFlows {
  readonly stages: readonly StageFlow[];
  readonly threads: readonly ThreadsFlow[];
  readonly evaluators: readonly EvaluatorFlow[];
  readonly buffers: readonly BufferFlow[];
  readonly machine: MachineFlow | undefined;
  /** Undefined for runs without a fleet. */
  readonly fleet: FleetFlow | undefined;
}

/** An interval of a run, and what flowed of one thing in it. */
export interface TimedFlow<F extends FlowEvent = FlowEvent> {
  /** Seconds of the run at the end of the interval, whose length is `flow.seconds`. */
  readonly elapsed: number;
  readonly flow: F;
}

/** The flows of a run, by what they are about, in order of time; empty for runs that recorded none. */
export function flowsOf({ events }: Pick<RunData, "events">): TimedFlow[][] {
  const flows = events.flatMap((event): TimedFlow[] =>
    isFlow(event) && event.seconds > 0 ? [{ elapsed: event.elapsed, flow: event }] : [],
  );
  return grouped(flows, ({ flow }) => flowSubject(flow)).map(([, series]) => series);
}

/** The series of one kind. */
export function ofKind<T extends FlowEvent["type"]>(
  series: readonly (readonly TimedFlow[])[],
  type: T,
): TimedFlow<Extract<FlowEvent, { type: T }>>[][] {
  return series.filter((flows) => flows[0]!.flow.type === type) as never;
}

/** At most `most` intervals in place of many: neighbours are joined. */
export function coarser<F extends FlowEvent>(flows: readonly TimedFlow<F>[], most: number): TimedFlow<F>[] {
  const size = Math.ceil(flows.length / most);
  return Array.from({ length: Math.ceil(flows.length / size) }, (_, i) => {
    const group = flows.slice(i * size, (i + 1) * size);
    return { elapsed: group.at(-1)!.elapsed, flow: total(group) };
  });
}

/** What flowed in all intervals together. */
export function totals(series: readonly (readonly TimedFlow[])[]): RunFlows {
  const of = <T extends FlowEvent["type"]>(type: T) => ofKind(series, type).map(total);
  return {
    stages: of("stage-flow"),
    threads: of("threads-flow"),
    evaluators: of("evaluator-flow"),
    buffers: of("buffer-flow"),
    machine: of("machine-flow")[0],
    fleet: of("fleet-flow")[0],
  };
}

/**
 * What flowed in the last `window` seconds before `now`, the newest weighing most and those `window` old nothing: a change shows
 * within half of that time.
 */
export function latestTotals(
  series: readonly (readonly TimedFlow[])[],
  now: number,
  window: number,
): RunFlows {
  const weighed = series.flatMap((flows) => {
    const shown = flows.flatMap(({ elapsed, flow }): TimedFlow[] => {
      const age = Math.max(0, now - elapsed);
      return age < window ? [{ elapsed, flow: scaledFlow(flow, 1 - age / window) }] : [];
    });
    return shown.length === 0 ? [] : [shown];
  });
  return totals(weighed);
}

function total<F extends FlowEvent>(flows: readonly TimedFlow<F>[]): F {
  return flows.map(({ flow }) => flow).reduce((sum, flow) => joinedFlows(sum, flow) as F);
}
