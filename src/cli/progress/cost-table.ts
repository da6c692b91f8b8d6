import type { MeasuredCost } from "../../graph/cost/measure-cost.ts";
import { column, tabulated } from "../../formats/table.ts";
import { textTable } from "../text-table.ts";
import { busyText, durationText, totalText } from "./cost-text.ts";
import type { SweepCost } from "../../graph/sweep/sweep-cost.ts";
import { counted } from "../../messages/counted.ts";

/** The measured cost of an experiment as plain text: a table with a row for each stage, the sum, and what the run is expected to reach. */
export function costTable(measured: MeasuredCost, expected?: string): string {
  const { cost, speeds, workers, cores } = measured;
  const total = cost.stages.reduce((sum, { perUnit = 0, work }) => sum + work.total * perUnit, 0);
  const cells = tabulated(cost.stages, [
    column.text("stage", ({ stage }) => stage),
    column.text("amount", ({ work }) => amountText(work), { align: "right" }),
    column.text(
      "speed here",
      ({ least, perUnit }) =>
        perUnit === undefined ? undefined : `${least ? "below " : ""}${speedText(perUnit)}`,
      {
        align: "right",
      },
    ),
    column.text(
      "time",
      ({ least, perUnit, work: { total: amount } }) =>
        perUnit === undefined ? "not measured" : `${least ? "over " : ""}${durationText(amount * perUnit)}`,
      { align: "right" },
    ),
    column.number("share", ({ perUnit, work }) => perUnit && (work.total * perUnit) / total, {
      share: true,
      digits: 0,
    }),
  ]);
  const lengths = [...new Set([...speeds.decisions.values()].map((decisions) => Math.round(decisions)))];
  return [
    ...textTable(cells),
    "",
    `in all ${totalText({ ...cost, endsEarly: cost.stages.some(({ work }) => work.endsEarly === true) })} on this machine: ${counted(workers, "worker thread")} on ${counted(cores, "core")}`,
    ...(lengths.length === 0
      ? []
      : [`games are taken to have ${lengths.map((n) => n.toLocaleString("en-US")).join(" or ")} moves`]),
    ...busyLines(measured),
    ...(expected === undefined ? [] : [expected]),
    remedyText([...cost.unknown, ...cost.least]),
  ].join("\n");
}

function amountText({ endsEarly, total, unit }: MeasuredCost["cost"]["stages"][number]["work"]): string {
  return `${endsEarly === true ? "at most " : ""}${total.toLocaleString("en-US")} ${unit}`;
}

/** Seconds per unit as a speed: `230/s`, `4.2/min`, `3.1/hour`, `0.5/day`. */
function speedText(perUnit: number): string {
  const [seconds, name] =
    perUnit < 1 ? [1, "s"] : perUnit < 60 ? [60, "min"] : perUnit < 3600 ? [3600, "hour"] : [86_400, "day"];
  return `${Number((seconds / perUnit).toPrecision(2)).toLocaleString("en-US")}/${name}`;
}

/** The measured cost as data for programs. */
export function costJson(file: string, { cost, workers, cores, gotCores, idleCores }: MeasuredCost): string {
  return JSON.stringify({
    file,
    workers,
    cores,
    gotCores,
    idleCores,
    seconds: cost.seconds,
    unknown: cost.unknown,
    stages: cost.stages.map(({ least, perUnit, stage, work: { total, unit } }) => ({
      stage,
      unit,
      total,
      ...(perUnit === undefined ? {} : { perUnit, seconds: perUnit * total, ...(least ? { least } : {}) }),
    })),
  });
}

/** The measured cost of a sweep as plain text. */
export function sweepCostText(what: string, cost: SweepCost): string {
  const { seconds, runs, measured, combinations, unknown, least, cores } = cost;
  const each = seconds === 0 ? "" : ` of ${durationText(seconds / runs)} on all cores`;
  return `${what}
in all ${totalText(cost)} on this machine (${counted(cores, "core")}): ${counted(runs, "run")}${each}
measured: ${measured} of ${counted(combinations, "combination")}
${[...busyLines(cost), remedyText([...unknown, ...least])].join("\n")}`;
}

function busyLines(measured: Pick<MeasuredCost, "gotCores" | "idleCores">): string[] {
  const text = busyText(measured);
  return text === undefined ? [] : [text];
}

/** How to measure what was not measured. */
function remedyText(unknown: readonly string[]): string {
  return unknown.length === 0
    ? ""
    : "not everything could be measured in this time; --for 1m (or longer) measures for longer\n";
}

/** The measured cost of a sweep as data for programs. */
export function sweepCostJson(file: string, cost: SweepCost): string {
  return JSON.stringify({ file, ...cost });
}
