import type { FlowEvent } from "../../events/flow-event.ts";
import type { Cell, Table } from "../../formats/table.ts";
import { coarser, ofKind, type RunFlows, type TimedFlow } from "../run-flows.ts";
import { counted } from "../../messages/counted.ts";

/** What flowed: a series for each stage, group of threads, net, buffer and the process. */
export type FlowSeries = readonly (readonly TimedFlow[])[];

/** The shares of an interval that were spent working, waiting and held up, as far as the flow tells them; empty for flows that tell no times. */
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

/** The series that tell times: stages, then threads, nets and cores. */
export function inOrder(series: FlowSeries): FlowSeries {
  const order = ["stage-flow", "threads-flow", "evaluator-flow", "machine-flow"] as const;
  return order.flatMap((type) => ofKind(series, type) as FlowSeries);
}

/** The columns that tell how the time was spent: shares as percentages. */
const SHARES = [
  { name: "worked %", type: "number" },
  { name: "waited %", type: "number" },
  { name: "held up %", type: "number" },
] as const;

/** The cells of these columns, to a hundredth of a percent; null for what a flow does not tell. */
function shareCells(flow: FlowEvent): Cell[] {
  const shares = sharesOf(flow);
  return SHARES.map((_, part) => {
    const share = shares[part];
    return share === undefined ? null : Math.round(1e4 * share) / 100;
  });
}

/** What every part did, interval by interval. */
export function timesTable(series: FlowSeries): Table {
  return {
    name: "flows",
    title: "What each part of the run did in each interval",
    columns: [
      { name: "part", type: "text" },
      { name: "from seconds", type: "number" },
      { name: "to seconds", type: "number" },
      ...SHARES,
    ],
    rows: inOrder(series)
      .flat()
      .map(({ elapsed, flow }) => [
        nameOf(flow),
        Math.max(0, elapsed - flow.seconds),
        elapsed,
        ...shareCells(flow),
      ]),
  };
}

/** What every part did in all. */
export function sumsTable(series: FlowSeries): Table {
  return {
    name: "flow-totals",
    title: "What each part of the run did in all",
    columns: [
      { name: "part", type: "text" },
      ...SHARES,
      { name: "items in", type: "integer" },
      { name: "items out", type: "integer" },
      { name: "games", type: "number" },
      { name: "bound", type: "integer" },
    ],
    rows: inOrder(series).map((flows) => {
      const { flow } = coarser(flows, 1)[0]!;
      const stage = flow.type === "stage-flow" ? flow : undefined;
      return [
        nameOf(flow),
        ...shareCells(flow),
        stage?.itemsIn ?? null,
        stage?.itemsOut ?? null,
        stage?.holds ?? null,
        stage?.bound ?? null,
      ];
    }),
  };
}

/** How many batches of which size every net had. */
export function batchTable({ evaluators }: RunFlows): Table {
  return {
    name: "batch-sizes",
    title: "Batches of the nets by their number of rows",
    columns: [
      { name: "net", type: "text" },
      { name: "rows from", type: "integer" },
      { name: "rows to", type: "integer" },
      { name: "batches", type: "integer" },
    ],
    rows: evaluators.flatMap(({ net, sizes }) =>
      sizes.map((batches, k) => [net, 2 ** k, 2 ** (k + 1) - 1, batches]),
    ),
  };
}

/** Processor time and memory, interval by interval. */
export function machineTable(series: FlowSeries): Table {
  return {
    name: "machine",
    title: "Processor time and memory of the process",
    columns: [
      { name: "from seconds", type: "number" },
      { name: "to seconds", type: "number" },
      { name: "core seconds", type: "number" },
      { name: "idle core seconds", type: "number" },
      { name: "cores", type: "integer" },
      { name: "resident bytes", type: "integer" },
      { name: "heap bytes", type: "integer" },
    ],
    rows: ofKind(series, "machine-flow")
      .flat()
      .map(({ elapsed, flow: { cores, heap, idle, memory, processor, seconds } }) => [
        Math.max(0, elapsed - seconds),
        elapsed,
        processor,
        idle,
        cores,
        memory,
        heap,
      ]),
  };
}

/** What the buffers held, interval by interval. */
export function bufferTable(series: FlowSeries): Table {
  return {
    name: "buffers",
    title: "Examples in the replay buffers, and their ages in generations",
    columns: [
      { name: "stage", type: "text" },
      { name: "seconds", type: "number" },
      { name: "examples", type: "integer" },
      { name: "capacity", type: "integer" },
      { name: "mean age", type: "number" },
      { name: "oldest", type: "integer" },
    ],
    rows: ofKind(series, "buffer-flow")
      .flat()
      .map(({ elapsed, flow: { ages, capacity, examples, stage } }) => [
        stage,
        elapsed,
        examples,
        capacity ?? null,
        ages.mean,
        ages.oldest,
      ]),
  };
}
