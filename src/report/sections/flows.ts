import type { Table } from "../../formats/table.ts";
import type { ShareLane } from "../../figures/charts/share-lanes.ts";
import type { Figure } from "../../figures/figure.ts";
import { timeUnit } from "../../figures/charts/time-line.ts";
import { experimentSettings } from "../experiment-settings.ts";
import { type Markup, markup } from "../../figures/markup.ts";
import { fixed } from "../../figures/number-text.ts";
import { eventsOf, type RunData } from "../run-data.ts";
import { coarser, flowsOf, ofKind, type RunFlows, totals } from "../run-flows.ts";
import { figureMarkup, type Section, tableMarkup } from "../section.ts";
import { whatHoldsUp } from "../what-holds-up.ts";
import {
  batchTable,
  bufferTable,
  checkTable,
  type FlowSeries,
  inOrder,
  machineTable,
  nameOf,
  sharesOf,
  sumsTable,
  timesTable,
} from "./flow-tables.ts";

/** The most intervals that a lane or a line shows; the tables hold all. */
const MOST = 160;

/** The working times of stages, what held the run up, and the batches of nets; undefined for runs without flows. */
export function flowsSection(run: RunData): Section | undefined {
  const series = flowsOf(run);
  if (series.length === 0) return undefined;
  const sums = totals(series);
  const graph = experimentSettings(run)?.graph ?? {};
  const uses = Object.fromEntries(Object.entries(graph).map(([stage, { use }]) => [stage, use]));
  const tables = {
    times: timesTable(series),
    sums: sumsTable(series),
    batches: batchTable(sums),
    checks: checkTable(sums),
    machine: machineTable(series),
    buffers: bufferTable(series),
  };
  const said = whatHoldsUp(sums, uses)?.sentence;
  return {
    id: "flows",
    heading: "Who worked when",
    body: [
      said && markup`<p>${said}</p>`,
      figureMarkup(
        lanesFigure(series, tables.times, {
          checkpoints: eventsOf(run, "checkpoint").map(({ elapsed }) => elapsed),
        }),
      ),
      tableMarkup(tables.sums),
      sums.evaluators.some(({ batches }) => batches > 0) ? batchFigure(sums, tables.batches) : undefined,
      tables.checks.rows.length > 0 ? tableMarkup(tables.checks) : undefined,
      tables.machine.rows.length > 1 ? memoryFigure(series, tables.machine) : undefined,
      agesFigure(series, tables.buffers),
    ],
    tables: Object.values(tables).filter(({ rows }) => rows.length > 0),
  };
}

const PARTS = [
  { label: "worked", style: 0 },
  { label: "waited", style: 4 },
  { label: "held up by its readers", style: 3 },
] as const;

/** The figure of working times, from `start` seconds on; `checkpoints` are moments in seconds. */
export function lanesFigure(
  series: FlowSeries,
  table: Table,
  { checkpoints, start = 0 }: { readonly checkpoints: readonly number[]; readonly start?: number },
): Figure {
  const lanes = inOrder(series).map((flows): ShareLane => ({
    label: nameOf(flows[0]!.flow),
    intervals: coarser(flows, MOST).map(({ elapsed, flow }) => ({
      from: Math.max(start, elapsed - flow.seconds),
      to: elapsed,
      shares: sharesOf(flow),
    })),
  }));
  const end = series.flat().reduce((latest, { elapsed }) => Math.max(latest, elapsed), 0);
  return {
    id: "flow-lanes",
    title: "Who worked when",
    caption:
      "A lane is as high as the whole time. A stage works while games of it are under way or while it computes what its reader asks for; it waits for its input or for weights; its readers hold it up while they do not ask. Threads wait for evaluations of nets. What is white was spent with nothing to do. Triangles mark checkpoints.",
    table,
    chart: {
      kind: "share-lanes",
      description:
        "A lane for each stage, group of threads and net: the share of the time in which it worked, waited and was held up.",
      ...(start === 0 ? {} : { start }),
      end,
      parts: PARTS,
      lanes,
      marks: checkpoints.filter((at) => at >= start && at <= end),
      marksLabel: "checkpoint",
    },
  };
}

/** Texts of the classes of batch sizes: `1`, `2–3`, `4–7`. */
function sizeText(k: number): string {
  return k === 0 ? "1" : `${fixed(2 ** k, 0)}–${fixed(2 ** (k + 1) - 1, 0)}`;
}

function batchFigure(sums: RunFlows, table: Table): Markup {
  const evaluators = sums.evaluators.filter(({ batches }) => batches > 0);
  const classes = Math.max(...evaluators.map(({ sizes }) => sizes.length));
  const first = Math.min(...evaluators.map(({ sizes }) => sizes.findIndex((count) => count > 0)));
  const shown = Array.from({ length: classes - first }, (_, i) => first + i);
  return figureMarkup({
    id: "batch-sizes",
    title: "Batches of the nets",
    caption: "How many of the batches had how many rows.",
    table,
    chart: {
      kind: "columns",
      description: "The share of the batches of each net by their number of rows.",
      xLabel: "Rows of a batch",
      yLabel: "Share of batches",
      categories: shown.map(sizeText),
      series: evaluators.map(({ net, batches, sizes }, style) => ({
        label: net,
        style,
        shares: shown.map((k) => {
          const value = (sizes[k] ?? 0) / batches;
          return { value, interval: [value, value] };
        }),
      })),
    },
  });
}

function memoryFigure(series: FlowSeries, table: Table): Markup {
  const flows = ofKind(series, "machine-flow")[0]!;
  return timeFigure(
    "memory",
    "Memory",
    "Greatest resident memory of the process in each interval.",
    "Memory (GB)",
    table,
    [
      {
        label: "memory",
        points: coarser(flows, MOST).map(({ elapsed, flow }) => [elapsed, flow.memory / 1e9]),
      },
    ],
  );
}

function agesFigure(series: FlowSeries, table: Table): Markup | undefined {
  const lines = ofKind(series, "buffer-flow").flatMap((flows) => {
    const { stage } = flows[0]!.flow;
    const shown = coarser(flows, MOST).filter(({ flow }) => flow.examples > 0);
    return (["mean", "oldest"] as const).map((age) => ({
      label: `${stage}, ${age}`,
      points: shown.map(({ elapsed, flow }): [number, number] => [elapsed, flow.ages[age]]),
    }));
  });
  // A run that ended before its first game was finished has no examples.
  if (lines.every(({ points }) => points.length < 2)) return undefined;
  return timeFigure(
    "buffer-ages",
    "Ages in the replay buffer",
    "Mean age of the examples and age of the oldest, in generations.",
    "Age (generations)",
    table,
    lines,
  );
}

/** A figure of lines over the time of the run. */
function timeFigure(
  id: string,
  title: string,
  caption: string,
  yLabel: string,
  table: Table,
  lines: readonly { readonly label: string; readonly points: readonly (readonly [number, number])[] }[],
): Markup {
  const end = Math.max(...lines.flatMap(({ points }) => points.map(([elapsed]) => elapsed)));
  const [unit, name] = timeUnit(end);
  return figureMarkup({
    id,
    title,
    caption,
    table,
    chart: {
      kind: "lines",
      description: caption,
      xLabel: `Time at work (${name})`,
      yLabel,
      height: 180,
      series: lines.map(({ label, points }, style) => ({
        label,
        style,
        points: points.map(([elapsed, y]) => ({ x: elapsed / unit, y })),
      })),
    },
  });
}
