import { type StageFlow } from "../../events/flow-event.ts";
import type { RunState } from "../../events/run-state.ts";
import { paceOf, speedOf } from "../../events/run-state.ts";
import type { Figure } from "../../figures/figure.ts";
import type { RecordedEvent } from "../../events/event.ts";
import { asContinuation, whatHoldsUp } from "../../report/what-holds-up.ts";
import {
  coarser,
  flowsOf,
  latestTotals,
  ofKind,
  type RunFlows,
  type TimedFlow,
  totals,
} from "../../report/run-flows.ts";
import { lanesFigure } from "../../report/sections/flows.ts";
import type { FlowView, StageNow, TimelineView } from "../views/run-views.ts";

/** Height of a lane of working times, in pixels. */
const LANE = 14;
/** The most points of a small chart, and intervals of a lane. */
const MOST_POINTS = 120;
/** Seconds over which the newest flows are weighed to say what holds the run up now. */
const LATEST_S = 10;

/** What flowed, for a view of it. */
export interface FlowWindows {
  /** What the figures are about. */
  readonly now: readonly RecordedEvent[];
  /** The latest part of that. */
  readonly latest: readonly RecordedEvent[];
  /** Whether it is the whole run. */
  readonly whole: boolean;
}

/** What a view shows of a run's stages besides the flows. */
export interface FlowStages {
  /** The kinds of the stages, by name, in the order of the run's file. */
  readonly uses: Readonly<Record<string, string>>;
  /** The items that a stage has handed to its readers in the whole run. */
  readonly handed: (stage: string) => number;
}

/** What flows in a run. */
export function flowView(
  { latest, now, whole }: FlowWindows,
  state: RunState,
  { handed, uses }: FlowStages,
): FlowView {
  const sums = totals(flowsOf({ events: now }));
  const { machine } = sums;
  return {
    seconds: tidy(Math.max(0, ...sums.stages.map(({ seconds }) => seconds), machine?.seconds ?? 0)),
    whole,
    sentence: sentenceOf(sums, latest, state, uses),
    stages: Object.keys(uses).map((name) =>
      stageNow(name, {
        flow: sums.stages.find(({ stage }) => stage === name),
        state,
        handed: handed(name),
      }),
    ),
    evaluators: sums.evaluators.map(({ batches, net, rows, seconds, sizes }) => ({
      net,
      rowsPerSecond: tidy(seconds === 0 ? 0 : rows / seconds),
      meanBatch: tidy(batches === 0 ? 0 : rows / batches),
      sizes,
    })),
    buffers: sums.buffers.map(({ ages, capacity, examples, stage }) => ({
      stage,
      examples,
      ...(capacity === undefined ? {} : { capacity }),
      meanAge: tidy(ages.mean),
      oldest: ages.oldest,
    })),
    ...(machine === undefined ? {} : { machine: { cores: machine.cores, memory: machine.memory } }),
    ...(sums.fleet === undefined
      ? {}
      : {
          fleet: {
            joiners: sums.fleet.joiners,
            places: sums.fleet.places,
            waiting: sums.fleet.waiting,
            gamesPerSecond: sums.fleet.games / sums.fleet.seconds,
            machines: sums.fleet.machines,
            left: sums.fleet.left,
          },
        }),
  };
}

/**
 * What holds a run up: over the whole time that is shown, with figures that stay calm, unless something else holds it up in the
 * latest part.
 */
function sentenceOf(
  sums: RunFlows,
  latest: readonly RecordedEvent[],
  { elapsed }: RunState,
  uses: Readonly<Record<string, string>>,
): string {
  const all = whatHoldsUp(sums, uses);
  const lately = whatHoldsUp(latestTotals(flowsOf({ events: latest }), elapsed, LATEST_S), uses);
  if (lately === undefined || lately.cause === all?.cause) return all?.sentence ?? "";
  return `In the last seconds: ${asContinuation(lately.sentence)}`;
}

/** The working times of stages, and the cores and evaluations used. `checkpoints` are moments in seconds. */
export function timelineView(
  flows: readonly RecordedEvent[],
  whole: boolean,
  checkpoints: readonly number[],
): TimelineView {
  const series = flowsOf({ events: flows });
  const machine = ofKind(series, "machine-flow")[0] ?? [];
  return {
    ...(series.length === 0 ? {} : { lanes: lanes(series, whole, checkpoints) }),
    cores: points(machine, ({ processor, seconds }) => processor / seconds),
    positions: points(evaluations(series), ({ rows, seconds }) => rows / seconds),
  };
}

/** A number to three digits: no bar is drawn more finely, and values that look equal are sent as equal. */
function tidy(value: number): number {
  return Number(value.toPrecision(3));
}

/** The figure of working times, with lanes as low as a line of text and without its table. */
function lanes(
  series: readonly (readonly TimedFlow[])[],
  whole: boolean,
  checkpoints: readonly number[],
): Figure {
  const start = timelineStart(series, whole);
  const figure = lanesFigure(
    series,
    { name: "flow-times", title: "", columns: [], rows: [] },
    { checkpoints, start },
  );
  return figure.chart.kind === "share-lanes"
    ? { ...figure, chart: { ...figure.chart, height: LANE } }
    : figure;
}

/** Seconds at the left end of the lanes. */
function timelineStart(series: readonly (readonly TimedFlow[])[], whole: boolean): number {
  if (whole) return 0;
  const begins = series.flatMap(([first]) =>
    first === undefined ? [] : [first.elapsed - first.flow.seconds],
  );
  return Math.max(0, Math.min(...begins));
}

function stageNow(
  name: string,
  {
    flow,
    handed,
    state: { elapsed, ended, stages },
  }: { readonly flow: StageFlow | undefined; readonly state: RunState; readonly handed: number },
): StageNow {
  const stage = Object.hasOwn(stages, name) ? stages[name] : undefined;
  const seconds = flow?.seconds ?? 0;
  const share = (part: number) => (seconds === 0 ? 0 : Math.round((1000 * part) / seconds) / 1000);
  const progress = stage?.progress;
  const waitsFor = stage?.paces.at(-1)?.waitsFor;
  const begin = `stage "${name}": `;
  const failed =
    ended?.outcome === "failed" && ended.message?.startsWith(begin) === true
      ? ended.message.slice(begin.length)
      : undefined;
  const rate = stage === undefined ? 0 : speedOf(stage, elapsed);
  const { evaluations = 0 } = (stage && paceOf(stage)) ?? {};
  return {
    name,
    worked: share(flow?.worked ?? 0),
    waited: share(flow?.waited ?? 0),
    held: share(flow?.held ?? 0),
    busy: ended === undefined && stage !== undefined && stage.paces.length > 0 && waitsFor === undefined,
    ...(waitsFor === undefined ? {} : { waitsFor }),
    ...(progress === undefined
      ? {}
      : { progress: { done: progress.done, total: progress.total, unit: progress.unit } }),
    ...(rate > 0 ? { rate: tidy(rate) } : {}),
    ...(evaluations > 0 ? { evaluations: tidy(evaluations) } : {}),
    itemsOut: flow?.itemsOut ?? 0,
    handed,
    ...(failed === undefined ? {} : { failed }),
    ...(flow?.holds === undefined ? {} : { holds: Math.round(flow.holds) }),
    ...(flow?.bound === undefined ? {} : { bound: flow.bound }),
  };
}

/** The evaluators of all nets, of intervals that end at the same time as one. */
function evaluations(series: readonly (readonly TimedFlow[])[]) {
  const all = ofKind(series, "evaluator-flow");
  const [first = [], ...others] = all;
  return first.map((timed, i) => ({
    elapsed: timed.elapsed,
    flow: {
      ...timed.flow,
      rows: timed.flow.rows + others.reduce((sum, flows) => sum + (flows[i]?.flow.rows ?? 0), 0),
    },
  }));
}

function points<F extends TimedFlow["flow"]>(
  flows: readonly TimedFlow<F>[],
  value: (flow: F) => number,
): (readonly [number, number])[] {
  return coarser(flows, MOST_POINTS).map(
    ({ elapsed, flow }) => [Math.round(elapsed), tidy(value(flow))] as const,
  );
}
