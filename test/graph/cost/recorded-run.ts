import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RecordedEvent, RunProgress, StagePace } from "../../../src/events/event.ts";
import { type FlowEvent, flowSubject, isFlow } from "../../../src/events/flow-event.ts";
import { joinedFlows } from "../../../src/events/flow-means.ts";
import { initialState, reduce } from "../../../src/events/run-state.ts";
import { checkGraph } from "../../../src/graph/check-graph.ts";
import { planOfGraph } from "../../../src/graph/cost/progress-tracker.ts";
import type { RunPlan } from "../../../src/graph/cost/run-plan.ts";
import { wholeProgress } from "../../../src/graph/cost/whole-progress.ts";
import { advanced, NOTHING_DONE } from "../../../src/graph/cost/work-course.ts";
import { checkSource } from "../../../src/graph/experiment-file.ts";
import { packageRoot } from "../../../src/package-root.ts";

/** The events of a run with their times, progress, pace and flows of each second among them, and the experiment that it ran. */
export interface RecordedRun {
  readonly experiment: Readonly<Record<string, unknown>>;
  readonly events: readonly RecordedEvent[];
}

/** What was shown of a run at a time of it; undefined: no bar. */
export interface ShownAt {
  readonly elapsed: number;
  readonly progress: RunProgress | undefined;
}

/** The placeholder in recorded experiments for the folder of this package. */
const PACKAGE = "{package}";

/** Reads a recorded run: a line with its experiment, and a line for each event. */
export function readRecordedRun(path: string): RecordedRun {
  const [first, ...events] = readFileSync(path, "utf8")
    .replaceAll(PACKAGE, packageRoot())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  return { experiment: (first as RecordedRun).experiment, events: events as RecordedEvent[] };
}

/** The text of a file that `readRecordedRun` reads. */
export function recordedRunText({ events, experiment }: RecordedRun): string {
  const lines = [{ experiment }, ...events].map((line) => `${JSON.stringify(line)}\n`);
  return lines.join("").replaceAll(packageRoot(), PACKAGE);
}

/** The plan of the run of an experiment. */
export function planOfRecorded({ experiment }: Pick<RecordedRun, "experiment">): RunPlan {
  const file = join(packageRoot(), "experiments", "recorded.yaml");
  return planOfGraph(checkGraph(checkSource({ file, value: { ...experiment }, places: new Map() })));
}

/** What is shown of a recorded run, whenever its stages have reported what flowed; `begin` is the time of its clock at its begin. */
export function replayed(
  { events, experiment }: RecordedRun,
  plan = planOfRecorded({ experiment }),
  begin = 0,
): ShownAt[] {
  const shown: ShownAt[] = [];
  let state = initialState;
  let course = { ...NOTHING_DONE, at: begin };
  let flows = false;
  const show = () => {
    if (flows) course = advanced(plan, course, state);
    shown.push({ elapsed: state.elapsed, progress: wholeProgress(plan, course, state) });
  };
  for (const event of events) {
    if (flows && !isFlow(event)) show();
    flows = isFlow(event);
    if (event.type !== "run-progress") state = reduce(state, event);
  }
  show();
  return shown;
}

/** What a run has shown itself. */
export function shownBy(events: readonly RecordedEvent[]): ShownAt[] {
  return events.flatMap((event) =>
    event.type === "run-progress" ? [{ elapsed: event.elapsed, progress: event }] : [],
  );
}

/** How good the progress shown at a share of a run's real time was. */
export interface Accuracy {
  /** The share of the run's time at which it was shown. */
  readonly share: number;
  /** The bar; undefined if there was none. */
  readonly bar: number | undefined;
  /** The time left and the true one; undefined if none was shown. */
  readonly left: number | undefined;
  readonly trueLeft: number;
}

/** The accuracy of what was shown last at these shares of the time of a run that took so long. */
export function accuracyAt(
  shown: readonly ShownAt[],
  end: number,
  shares: readonly number[] = [0.25, 0.5, 0.75],
): Accuracy[] {
  return shares.map((share) => {
    const last = shown.findLast(({ elapsed }) => elapsed <= share * end);
    const left = last?.progress?.secondsLeft;
    // What was shown some time ago is shown still, and time passes.
    const age = share * end - (last?.elapsed ?? 0);
    return {
      share,
      bar: last?.progress?.share,
      left: left === undefined ? undefined : Math.max(0, left - age),
      trueLeft: (1 - share) * end,
    };
  });
}

/** Whether the bar is within 10 points of the run's real time, and the time left within a factor of 1.5. */
export function isAccurate({ bar, left, share, trueLeft }: Accuracy): boolean {
  if (bar === undefined || left === undefined) return false;
  return Math.abs(bar - share) <= 0.1 && left <= 1.5 * trueLeft && trueLeft <= 1.5 * left;
}

/** The end of a recorded run, in seconds. */
export function endOf({ events }: Pick<RecordedRun, "events">): number {
  return events.findLast(({ type }) => type === "run-ended")!.elapsed;
}

/** The events of a second: they begin with what the machine did. */
interface Second {
  readonly before: readonly RecordedEvent[];
  readonly flows: readonly (RecordedEvent & FlowEvent)[];
}

function secondsOf(events: readonly RecordedEvent[]): Second[] {
  const seconds: Second[] = [];
  let before: RecordedEvent[] = [];
  for (let i = 0; i < events.length;) {
    if (events[i]!.type !== "machine-flow") {
      before.push(events[i++]!);
      continue;
    }
    const flows: (RecordedEvent & FlowEvent)[] = [];
    for (let event = events[i]; event !== undefined && isFlow(event); event = events[++i]) flows.push(event);
    seconds.push({ before, flows });
    before = [];
  }
  return [...seconds, { before, flows: [] }];
}

/** The fields that are times, in flows and paces. */
const TIMES = new Set(["seconds", "worked", "waited", "held", "busy", "processor", "idle"]);

/**
 * The run as it would have been about without other programs on the machine: each second is shortened by the share of the
 * cores that the run's computing threads wanted and did not get.
 */
export function withoutOthers(events: readonly RecordedEvent[]): RecordedEvent[] {
  let [before, now, scale] = [0, 0, 1];
  return secondsOf(events).flatMap(({ before: first, flows }) => {
    const machine = flows.find((flow) => flow.type === "machine-flow");
    let threads = 0;
    for (const flow of flows)
      threads +=
        flow.type === "threads-flow"
          ? flow.worked - flow.waited
          : flow.type === "evaluator-flow"
            ? flow.busy
            : 0;
    // What the threads want is at most all cores, and of a second in which they wait a little. Of the end nothing is known.
    if (machine !== undefined && threads > 0) {
      const wanted = Math.min(machine.cores * machine.seconds, Math.max(threads, 0.1 * machine.seconds));
      scale = Math.min(1, machine.processor / wanted);
    }
    const all = [...first, ...flows];
    const end = all.at(-1)?.elapsed ?? before;
    const scaled = all.map((event) => {
      const times =
        isFlow(event) || event.type === "pace"
          ? Object.entries(event).map(([key, value]) => [key, TIMES.has(key) ? scale * Number(value) : value])
          : Object.entries(event);
      return {
        ...Object.fromEntries(times),
        elapsed: now + scale * (event.elapsed - before),
      } as RecordedEvent;
    });
    now += scale * (end - before);
    before = end;
    return scaled;
  });
}

/** The fields of events that progress is made from. */
const KEPT = new Set(
  "type,elapsed,stage,done,total,unit,seconds,worked,holds,bound,decisions,evaluations,steps,waitsFor,count,plies,step,games,learned,name,seed,workers,resumed,outcome,cores,agents,agent,mean".split(
    ",",
  ),
);

/** A recorded run with about so many seconds at most, each longer, and without what progress is not made from. */
export function thinned({ events, experiment }: RecordedRun, most: number): RecordedRun {
  const kept = secondsOf(events.filter(({ type }) => KEPT_TYPES.has(type)));
  const joined = Math.ceil(kept.length / most);
  const thin: RecordedEvent[] = [];
  for (let i = 0; i < kept.length; i += joined) {
    const seconds = kept.slice(i, i + joined);
    const newest = new Map<string, RecordedEvent>();
    const paces = new Map<string, RecordedEvent & StagePace>();
    const flows = new Map<string, RecordedEvent & FlowEvent>();
    for (const { before, flows: own } of seconds) {
      for (const event of before)
        if (event.type === "pace") {
          const sum = paces.get(event.stage);
          const same = sum !== undefined && (sum.waitsFor === undefined) === (event.waitsFor === undefined);
          paces.set(event.stage, same ? joinedPaces(sum, event) : event);
        } else {
          // Progress is of a moment; the last before a fact counts.
          if (event.type !== "progress") {
            thin.push(...newest.values());
            newest.clear();
            thin.push(event);
          } else newest.set(event.stage, event);
        }
      for (const flow of own) {
        const sum = flows.get(flowSubject(flow));
        flows.set(
          flowSubject(flow),
          sum === undefined ? flow : { ...flow, ...joinedFlows(sum, flow), elapsed: flow.elapsed },
        );
      }
    }
    const worked = [...flows.values()].filter((flow) => flow.type !== "stage-flow" || flow.worked > 0.0005);
    thin.push(...newest.values(), ...paces.values(), ...worked);
  }
  return { experiment, events: thin.map(shortened) };
}

const KEPT_TYPES = new Set(
  "run-started,run-ended,progress,pace,machine-flow,stage-flow,games,training,pool-games,match,effort,suite,policy-statistics,value-errors".split(
    ",",
  ),
);

function joinedPaces(first: StagePace, next: RecordedEvent & StagePace): RecordedEvent & StagePace {
  const sums = (["seconds", "decisions", "evaluations", "steps"] as const).map((key) => [
    key,
    first[key] + next[key],
  ]);
  return { ...next, ...Object.fromEntries(sums) };
}

/** An event with the fields that progress is made from, and numbers to a thousandth. */
function shortened(event: RecordedEvent): RecordedEvent {
  return JSON.parse(
    JSON.stringify(event, (key, value: unknown) => {
      if (key !== "" && Number.isNaN(Number(key)) && !KEPT.has(key)) return undefined;
      if (key === "waitsFor") return "more";
      if (key === "agents" && event.type !== "effort") return [];
      return typeof value === "number" ? Math.round(1000 * value) / 1000 : value;
    }),
  ) as RecordedEvent;
}
