import type { FlowEvent } from "../../events/flow-event.ts";
import { column, type Table, tabulated } from "../../formats/table.ts";
import { coarser, ofKind, type RunFlows, type TimedFlow } from "../run-flows.ts";
import { counted } from "../../messages/counted.ts";

/** What flowed: a series for each stage, group of threads, net, buffer and the process. */
export type FlowSeries = readonly (readonly TimedFlow[])[];

/** The shares of an interval that were spent working, waiting and held up, as far as the flow has them; empty for flows without times. */
export function sharesOf(flow: FlowEvent): readonly number[] {
  const { seconds } = flow;
  switch (flow.type) {
    case "stage-flow":
      return [flow.worked / seconds, flow.waited / seconds, flow.held / seconds];
    case "threads-flow":
      return [flow.worked, flow.waited].map((part) => part / (flow.threads * seconds));
    case "evaluator-flow":
      return [flow.busy / (flow.threads * seconds)];
    case "machine-flow":
      return [flow.processor / (flow.cores * seconds)];
    default:
      return [];
  }
}

/** What a flow is about, in words. */
export function nameOf(flow: FlowEvent): string {
  switch (flow.type) {
    case "threads-flow":
      return flow.group === "players"
        ? `${counted(flow.threads, "thread")} that ${flow.threads === 1 ? "plays" : "play"}`
        : `${counted(flow.threads, "thread")} of ${flow.group}`;
    case "evaluator-flow":
      return `net ${flow.net}`;
    case "machine-flow":
      return counted(flow.cores, "core");
    case "fleet-flow":
      return `fleet of ${counted(flow.joiners, "machine")}`;
    default:
      return flow.stage;
  }
}

/** The series with times: stages, then threads, nets and cores. */
export function inOrder(series: FlowSeries): FlowSeries {
  const order = ["stage-flow", "threads-flow", "evaluator-flow", "machine-flow"] as const;
  return order.flatMap((type) => ofKind(series, type) as FlowSeries);
}

/** How the time was spent, in per cent to a hundredth; null for what a flow does not have. */
const SHARES = ["worked %", "waited %", "held up %"].map((name, part) =>
  column.number(name, ({ flow }: { readonly flow: FlowEvent }) => {
    const share = sharesOf(flow)[part];
    return share === undefined ? null : Math.round(1e4 * share) / 100;
  }),
);

/** What every part did, interval by interval. */
export function timesTable(series: FlowSeries): Table {
  return {
    name: "flows",
    title: "What each part of the run did in each interval",
    ...tabulated(inOrder(series).flat(), [
      column.text("part", ({ flow }) => nameOf(flow)),
      column.number("from seconds", ({ elapsed, flow }) => Math.max(0, elapsed - flow.seconds)),
      column.number("to seconds", ({ elapsed }) => elapsed),
      SHARES,
    ]),
  };
}

/** What every part did in all. */
export function sumsTable(series: FlowSeries): Table {
  return {
    name: "flow-totals",
    title: "What each part of the run did in all",
    ...tabulated(
      inOrder(series).map((flows) => {
        const { flow } = coarser(flows, 1)[0]!;
        return { flow, stage: flow.type === "stage-flow" ? flow : undefined };
      }),
      [
        column.text("part", ({ flow }) => nameOf(flow)),
        SHARES,
        column.integer("items in", ({ stage }) => stage?.itemsIn),
        column.integer("items out", ({ stage }) => stage?.itemsOut),
        column.number("games", ({ stage }) => stage?.holds),
        column.integer("bound", ({ stage }) => stage?.bound),
      ],
    ),
  };
}

/** How many batches of which size every net had. */
export function batchTable({ evaluators }: RunFlows): Table {
  return {
    name: "batch-sizes",
    title: "Batches of the nets by their number of rows",
    ...tabulated(
      evaluators.flatMap(({ net, sizes }) => sizes.map((batches, k) => ({ net, batches, from: 2 ** k }))),
      [
        column.text("net", ({ net }) => net),
        column.integer("rows from", ({ from }) => from),
        column.integer("rows to", ({ from }) => 2 * from - 1),
        column.integer("batches", ({ batches }) => batches),
      ],
    ),
  };
}

/** What was computed a second time, to see that the nets are computed correctly; without rows if nothing was. */
export function checkTable({ evaluators }: RunFlows): Table {
  return {
    name: "checked-evaluations",
    title: "Evaluations that were computed again on the CPU",
    ...tabulated(
      evaluators.flatMap(({ checked, net, rows }) => (checked === undefined ? [] : [{ net, rows, checked }])),
      [
        column.text("net", ({ net }) => net),
        column.integer("rows", ({ rows }) => rows),
        column.integer("rows checked", ({ checked }) => checked.rows),
        column.number("largest relative difference", ({ checked }) => checked.largest),
      ],
    ),
  };
}

/** Processor time and memory, interval by interval. */
export function machineTable(series: FlowSeries): Table {
  return {
    name: "machine",
    title: "Processor time and memory of the process",
    ...tabulated(ofKind(series, "machine-flow").flat(), [
      column.number("from seconds", ({ elapsed, flow }) => Math.max(0, elapsed - flow.seconds)),
      column.number("to seconds", ({ elapsed }) => elapsed),
      column.number("core seconds", ({ flow }) => flow.processor),
      column.number("idle core seconds", ({ flow }) => flow.idle),
      column.integer("cores", ({ flow }) => flow.cores),
      column.integer("resident bytes", ({ flow }) => flow.memory),
      column.integer("heap bytes", ({ flow }) => flow.heap),
    ]),
  };
}

/** What the buffers held, interval by interval. */
export function bufferTable(series: FlowSeries): Table {
  return {
    name: "buffers",
    title: "Examples in the replay buffers, and their ages in generations",
    ...tabulated(ofKind(series, "buffer-flow").flat(), [
      column.text("stage", ({ flow }) => flow.stage),
      column.number("seconds", ({ elapsed }) => elapsed),
      column.integer("examples", ({ flow }) => flow.examples),
      column.integer("capacity", ({ flow }) => flow.capacity),
      column.number("mean age", ({ flow }) => flow.ages.mean),
      column.integer("oldest", ({ flow }) => flow.ages.oldest),
    ]),
  };
}
