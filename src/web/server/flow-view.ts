import { type StageFlow } from "../../events/flow-event.ts";
import type { RunState } from "../../events/run-state.ts";
import { speedOf } from "../../events/run-state.ts";
import type { Figure } from "../../figures/figure.ts";
import type { RecordedEvent } from "../../events/event.ts";
import { whatHoldsUp } from "../../report/what-holds-up.ts";
import { coarser, flowsOf, ofKind, type TimedFlow, totals } from "../../report/run-flows.ts";
import { lanesFigure } from "../../report/sections/flows.ts";
import { timesTable } from "../../report/sections/flow-tables.ts";
import type { FlowView, StageNow } from "../views/run-views.ts";

/** Height of a lane of who worked when, in pixels. */
const LANE = 14;
/** The most points of a small chart. */
const MOST_POINTS = 120;

/** A view of what flowed, and of who worked when. */
export interface FlowWindows {
  /** What the figures and the sentence are about. */
  readonly now: readonly RecordedEvent[];
  /** What the strip and the small charts show. */
  readonly strip: readonly RecordedEvent[];
  /** Whether both are the whole run. */
  readonly whole: boolean;
}

/** What flows in a run. `uses` has the kinds of its stages, by name, in the order of its file. */
export function flowView(
  { now, strip: recent, whole }: FlowWindows,
  state: RunState,
  uses: Readonly<Record<string, string>>,
): FlowView {
  const sums = totals(flowsOf({ events: now }));
  const shown = flowsOf({ events: recent });
  const machine = ofKind(shown, "machine-flow")[0] ?? [];
  const latest = sums.machine;
  return {
    seconds: Math.max(0, ...sums.stages.map(({ seconds }) => seconds), latest?.seconds ?? 0),
    whole,
    sentence: whatHoldsUp(sums, uses) ?? "",
    stages: Object.keys(uses).map((name) =>
      stageNow(
        name,
        sums.stages.find(({ stage }) => stage === name),
        state,
      ),
    ),
    evaluators: sums.evaluators.map(({ batches, net, rows, seconds, sizes }) => ({
      net,
      rowsPerSecond: seconds === 0 ? 0 : rows / seconds,
      meanBatch: batches === 0 ? 0 : rows / batches,
      sizes,
    })),
    buffers: sums.buffers.map(({ ages, capacity, examples, stage }) => ({
      stage,
      examples,
      ...(capacity === undefined ? {} : { capacity }),
      meanAge: ages.mean,
      oldest: ages.oldest,
    })),
    ...(latest === undefined
      ? {}
      : {
          machine: {
            cores: latest.cores,
            used: latest.processor / latest.seconds,
            idle: latest.idle / latest.seconds,
            memory: latest.memory,
          },
        }),
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
    ...(shown.length === 0 ? {} : { lanes: strip(shown, whole) }),
    cores: points(machine, ({ processor, seconds }) => processor / seconds),
    positions: points(evaluations(shown), ({ rows, seconds }) => rows / seconds),
  };
}

/** The figure of who worked when, with lanes as low as a line of text and without its table. */
function strip(series: readonly (readonly TimedFlow[])[], whole: boolean): Figure {
  const figure = lanesFigure(series, { ...timesTable(series), rows: [] }, stripStart(series, whole));
  return figure.chart.kind === "share-lanes"
    ? { ...figure, chart: { ...figure.chart, height: LANE } }
    : figure;
}

/** Seconds at the left end of a strip. */
function stripStart(series: readonly (readonly TimedFlow[])[], whole: boolean): number {
  if (whole) return 0;
  const begins = series.flatMap(([first]) =>
    first === undefined ? [] : [first.elapsed - first.flow.seconds],
  );
  return Math.max(0, Math.min(...begins));
}

function stageNow(name: string, flow: StageFlow | undefined, { elapsed, ended, stages }: RunState): StageNow {
  const stage = Object.hasOwn(stages, name) ? stages[name] : undefined;
  const seconds = flow?.seconds ?? 0;
  const share = (part: number) => (seconds === 0 ? 0 : part / seconds);
  const progress = stage?.progress;
  const waitsFor = stage?.paces.at(-1)?.waitsFor;
  const rate = stage === undefined ? 0 : speedOf(stage, elapsed);
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
    ...(rate > 0 ? { rate } : {}),
    itemsOut: flow?.itemsOut ?? 0,
    ...(flow?.holds === undefined ? {} : { holds: flow.holds }),
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
  return coarser(flows, MOST_POINTS).map(({ elapsed, flow }) => [elapsed, value(flow)] as const);
}
