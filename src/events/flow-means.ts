import {
  type BufferFlow,
  type EvaluatorFlow,
  type FleetFlow,
  type FlowEvent,
  flowSubject,
  type MachineFlow,
  type StageFlow,
  type ThreadsFlow,
} from "./flow-event.ts";

/** Seconds that an event in `metrics.jsonl` covers: a minute, and less at the beginning so that a short run shows its course. */
const MINUTE = 60;
const AT_FIRST = 5;

/** Maximum number of machines named that have left a fleet. */
const MOST_LEFT = 50;

/** Flows of one stage, thread group, evaluator, buffer, machine or fleet since the last event that summed them up. */
interface Series {
  sum: FlowEvent | undefined;
  /** Seconds that earlier events summed up. */
  emitted: number;
}

/**
 * Sums up the flows of every second into one event a minute, in the same fields: seconds and counts are added, `holds` is a
 * mean over time, `memory` and `heap` are the greatest, and fields that describe a state have their value at the end. In the first minute,
 * there is an event every five seconds.
 */
export class FlowMeans {
  readonly #series = new Map<string, Series>();

  /** Takes in the flow of about a second; returns the event that sums up the interval which it completes, if it does. */
  add(flow: FlowEvent): FlowEvent | undefined {
    const key = flowSubject(flow);
    let series = this.#series.get(key);
    if (series === undefined) this.#series.set(key, (series = { sum: undefined, emitted: 0 }));
    const sum = series.sum === undefined ? flow : joinedFlows(series.sum, flow);
    const wanted = series.emitted < MINUTE - 1 ? AT_FIRST : MINUTE;
    // Ticks of a clock are not exactly a second apart.
    const whole = sum.seconds > wanted - 0.5;
    if (whole) series.emitted += sum.seconds;
    series.sum = whole ? undefined : sum;
    return whole ? rounded(sum) : undefined;
  }

  /** The events for what the last, unfinished intervals hold. */
  rest(): FlowEvent[] {
    const left = [...this.#series.values()].flatMap(({ sum }) => sum ?? []);
    this.#series.clear();
    return left.map(rounded);
  }
}

/** A flow with its numbers to a ten-thousandth: no clock of stages is better, and the file is shorter. */
function rounded(flow: FlowEvent): FlowEvent {
  // A relative difference is far smaller than that.
  const round = (key: string, value: unknown) => {
    if (typeof value !== "number") return value;
    return key === "largest" ? Number(value.toPrecision(3)) : Math.round(1e4 * value) / 1e4;
  };
  return JSON.parse(JSON.stringify(flow, round)) as FlowEvent;
}

/** A flow with its seconds and counts times a factor, to be joined with others of another weight. */
export function scaledFlow<F extends FlowEvent>(flow: F, factor: number): F {
  const scaled = Object.fromEntries(
    Object.entries(flow).map(([key, value]) => [
      key,
      typeof value === "number" && SUMMED.has(key) ? factor * value : value,
    ]),
  ) as unknown as F;
  return flow.type === "evaluator-flow"
    ? { ...scaled, sizes: flow.sizes.map((count) => factor * count) }
    : scaled;
}

/** The fields that are added when flows are joined. */
const SUMMED = new Set([
  "seconds",
  "worked",
  "waited",
  "held",
  "itemsIn",
  "itemsOut",
  "batches",
  "rows",
  "busy",
  "games",
  "processor",
  "idle",
]);

/** Two flows of the same stage, thread group, evaluator, buffer, machine or fleet, one after the other, as one. */
export function joinedFlows(first: FlowEvent, next: FlowEvent): FlowEvent {
  switch (next.type) {
    case "stage-flow":
      return stages(first as StageFlow, next);
    case "threads-flow":
      return { ...next, ...sums(first as ThreadsFlow, next, ["seconds", "worked", "waited"]) };
    case "evaluator-flow":
      return evaluators(first as EvaluatorFlow, next);
    case "buffer-flow":
      return { ...next, ...sums(first as BufferFlow, next, ["seconds"]) };
    case "fleet-flow":
      return fleets(first as FleetFlow, next);
    default:
      return machines(first as MachineFlow, next);
  }
}

function stages(first: StageFlow, next: StageFlow): StageFlow {
  const seconds = first.seconds + next.seconds;
  const holds = ((first.holds ?? 0) * first.seconds + (next.holds ?? 0) * next.seconds) / seconds;
  // A stage whose games were all played before a resumption has none in the part after it.
  const bound = next.bound ?? first.bound;
  return {
    ...next,
    ...sums(first, next, ["seconds", "worked", "waited", "held", "itemsIn", "itemsOut"]),
    ...(bound === undefined ? {} : { holds, bound }),
  };
}

function evaluators(first: EvaluatorFlow, next: EvaluatorFlow): EvaluatorFlow {
  const sizes = Array.from(
    { length: Math.max(first.sizes.length, next.sizes.length) },
    (_, k) => (first.sizes[k] ?? 0) + (next.sizes[k] ?? 0),
  );
  const checks = [first.checked, next.checked].filter((each) => each !== undefined);
  const checked = {
    rows: checks.reduce((sum, { rows }) => sum + rows, 0),
    largest: Math.max(...checks.map(({ largest }) => largest)),
  };
  return {
    ...next,
    ...sums(first, next, ["seconds", "batches", "rows", "busy"]),
    sizes,
    ...(checks.length === 0 ? {} : { checked }),
  };
}

function fleets(first: FleetFlow, next: FleetFlow): FleetFlow {
  return {
    ...next,
    ...sums(first, next, ["seconds", "games"]),
    left: [...first.left, ...next.left].slice(-MOST_LEFT),
  };
}

function machines(first: MachineFlow, next: MachineFlow): MachineFlow {
  return {
    ...next,
    ...sums(first, next, ["seconds", "processor", "idle"]),
    memory: Math.max(first.memory, next.memory),
    heap: Math.max(first.heap, next.heap),
  };
}

/** The sums of these numbers of two flows. */
function sums<K extends string>(
  first: Readonly<Record<K, number>>,
  next: Readonly<Record<K, number>>,
  keys: readonly K[],
): Record<K, number> {
  return Object.fromEntries(keys.map((key) => [key, first[key] + next[key]])) as Record<K, number>;
}
